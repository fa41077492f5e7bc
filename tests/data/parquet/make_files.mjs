// Writes the rows of rows.jsonl, which it makes too, by programs that are not ours, with each codec and encoding that
// they offer: the files here. Run it in a folder whose node_modules has what it imports:
//   node make_files.mjs FOLDER
import fs from "node:fs";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import * as arrow from "apache-arrow";
import { parquetWriteFile } from "hyparquet-writer";
import pl from "nodejs-polars";
import * as wasm from "parquet-wasm/node";

const folder = process.argv[2];
const words = ["river", "hill", "müde", "снег", "雨", "old", "a", "printer", "door", "😀"];
const rows = [];
for (let i = 0; i < 160; ++i) {
  const sentence = (k) => Array.from({ length: 3 + (i + k) % 7 }, (_, j) => words[(i * 7 + j * 3 + k) % 10]).join(" ");
  const text = i % 11 === 3 ? null : i % 23 === 5 ? "" : i % 5 === 0 ? "The same text again." : `${sentence(0)}.\n${sentence(1)}.`;
  const body = i % 6 === 1 ? null : sentence(2);
  rows.push({
    id: i * 1000003 - 7, title: i % 4 === 2 ? null : `Title ${i % 9}`, text, url: `https://example.org/${i}`,
    meta: i % 13 === 4 ? null : { lang: "en", body },
  });
}
fs.writeFileSync(path.join(folder, "rows.jsonl"), rows.map((row) => JSON.stringify(row) + "\n").join(""));

// hyparquet-writer
for (const [name, codec, more] of [
  ["plain", "UNCOMPRESSED", {}], ["snappy", "SNAPPY", {}],
  ["delta", "SNAPPY", { encoding: "DELTA_LENGTH_BYTE_ARRAY" }], ["prefix", "SNAPPY", { encoding: "DELTA_BYTE_ARRAY" }],
]) {
  const column = (key, type, settings) => ({ name: key, data: rows.map((row) => row[key]), type, ...settings });
  parquetWriteFile({
    filename: path.join(folder, `hyparquet.${name}.parquet`), codec, rowGroupSize: 60, pageSize: 2000,
    columnData: [
      { name: "id", data: rows.map((row) => BigInt(row.id)), type: "INT64" }, column("title", "STRING", {}),
      column("text", "STRING", more), column("url", "STRING", {}),
    ],
  });
}

// DuckDB
const connection = await (await DuckDBInstance.create(":memory:")).connect();
const struct = "{id: 'BIGINT', title: 'VARCHAR', text: 'VARCHAR', url: 'VARCHAR', meta: 'STRUCT(lang VARCHAR, body VARCHAR)'}";
await connection.run(`create table t as select * from read_json('${folder}/rows.jsonl', columns = ${struct})`);
for (const [codec, version] of [
  ["uncompressed", "v1"], ["snappy", "v1"], ["zstd", "v1"], ["gzip", "v1"], ["brotli", "v2"], ["lz4_raw", "v2"], ["zstd", "v2"],
]) {
  const file = path.join(folder, `duckdb.${codec}.${version}.parquet`);
  await connection.run(`copy t to '${file}' (format parquet, compression ${codec}, parquet_version ${version})`);
}

// arrow-rs
const meta = new arrow.Struct([new arrow.Field("lang", new arrow.Utf8(), true), new arrow.Field("body", new arrow.Utf8(), true)]);
const vector = (key, type) => arrow.vectorFromArray(rows.map((row) => row[key]), type);
const table = new arrow.Table({
  id: arrow.vectorFromArray(rows.map((row) => BigInt(row.id)), new arrow.Int64()), title: vector("title", new arrow.Utf8()),
  text: vector("text", new arrow.LargeUtf8()), url: vector("url", new arrow.Utf8()), meta: vector("meta", meta),
});
// Arrow's IPC format: of apache-arrow, in batches, with dictionaries that grow, with views; of polars, compressed
const part = (begin, end) => table.slice(begin, end);
const texts = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int16());
const builder = arrow.makeBuilder({ type: texts, nullValues: [null] });
const named = [[0, 50], [50, 51], [51, 160]].map(([begin, end]) => {
  rows.slice(begin, end).forEach((row) => builder.append(row.text));
  const batch = part(begin, end).batches[0];
  return new arrow.RecordBatch(
    new arrow.Schema(batch.schema.fields.map((f) => f.name === "text" ? new arrow.Field("text", texts, true) : f)),
    arrow.makeData({
      type: new arrow.Struct(batch.schema.fields.map((f) => f.name === "text" ? new arrow.Field("text", texts, true) : f)),
      length: end - begin, nullCount: 0,
      children: batch.schema.fields.map((f, i) => f.name === "text" ? builder.flush() : batch.data.children[i]),
    }));
});
fs.writeFileSync(path.join(folder, "arrow_js.stream.arrow"), arrow.tableToIPC(new arrow.Table([part(0, 70), part(70, 160)].flatMap((t) => t.batches)), "stream"));
const views = new arrow.Table({ ...Object.fromEntries(["id", "title", "url", "meta"].map((k) => [k, table.getChild(k)])), text: vector("text", new arrow.Utf8View()) });
fs.writeFileSync(path.join(folder, "arrow_js.views.arrow"), arrow.tableToIPC(views, "stream"));
fs.writeFileSync(path.join(folder, "arrow_js.dictionary.arrow"), arrow.tableToIPC(new arrow.Table(named), "stream"));
const frame = pl.readJSON(fs.readFileSync(path.join(folder, "rows.jsonl")), { format: "lines" });
for (const compression of ["uncompressed", "lz4", "zstd"]) fs.writeFileSync(path.join(folder, `polars.${compression}.arrow`), frame.writeIPC({ compression }));
for (const [name, compression, version, settings] of [
  ["snappy.v1", wasm.Compression.SNAPPY, 1, (b) => b], ["zstd.v2", wasm.Compression.ZSTD, 2, (b) => b],
  ["gzip.v1", wasm.Compression.GZIP, 1, (b) => b.setDictionaryEnabled(false)],
  ["brotli.v1", wasm.Compression.BROTLI, 1, (b) => b],
  ["lz4_raw.v2", wasm.Compression.LZ4_RAW, 2, (b) => b.setDictionaryEnabled(false).setColumnEncoding("text", wasm.Encoding.DELTA_BYTE_ARRAY)],
  ["delta.v2", wasm.Compression.UNCOMPRESSED, 2, (b) => b.setDictionaryEnabled(false).setColumnEncoding("text", wasm.Encoding.DELTA_LENGTH_BYTE_ARRAY)],
]) {
  const builder = settings(new wasm.WriterPropertiesBuilder().setCompression(compression)
    .setWriterVersion(version === 1 ? wasm.WriterVersion.V1 : wasm.WriterVersion.V2).setMaxRowGroupSize(70).setDataPageSizeLimit(1500));
  const written = wasm.writeParquet(wasm.Table.fromIPCStream(arrow.tableToIPC(table, "stream")), builder.build());
  fs.writeFileSync(path.join(folder, `arrow_rs.${name}.parquet`), written);
}
