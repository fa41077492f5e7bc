#!/usr/bin/env node
// Measures how fast the column `text` of Parquet files is read, in MB of text a second of one core: by bertprep, as
// finished documents; by DuckDB, one thread, which touches each byte once (hash) or none (strlen); and its pages
// decompressed alone, which is what no reader undercuts. All by turns in one run, by CPU seconds; the best round counts.
//
//   NODE_PATH=DIR/node_modules scripts/bench_parquet.mjs [SOURCE_BENCH] [TEXT]
//
// SOURCE_BENCH (build/release/bin/source_bench) is the program of tests/bench/source_bench.cpp, TEXT a file in
// wikitext format ($BERTPREP_SHARED/corpora/wikitext/wt2-train.txt). DIR has @duckdb/node-api, apache-arrow,
// hyparquet-writer and parquet-wasm, which write the files; a writer that is missing is left out, with a word. Without
// DuckDB its columns are empty, and without any writer, SOURCE_BENCH makes a file itself. ROUNDS (5) and MEGABYTES (64)
// may be set in the environment.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

const require = createRequire(import.meta.url);
const program = process.argv[2] ?? "build/release/bin/source_bench";
const shared = process.env.BERTPREP_SHARED ?? "../shared";
const corpus = process.argv[3] ?? path.join(shared, "corpora/wikitext/wt2-train.txt");
const rounds = Number(process.env.ROUNDS ?? 5);
const bytes = Number(process.env.MEGABYTES ?? 64) * 1e6;

// The lines of each further copy of an article stand in another order, lest they repeat within a window. WikiText's
// mark of unknown words, a twentieth of all, looks like HTML.
function articles() {
  const text = fs.readFileSync(corpus, "utf8").replaceAll("<unk>", "known");
  const units = text.split(/\n (?== [^=])/).filter((unit) => unit.length > 500);
  const rows = [];
  let seed = 1;
  const below = (end) => (seed = (seed * 48271) % 2147483647) % end;
  for (let size = 0; size < bytes; ) {
    const lines = units[rows.length % units.length].split("\n");
    for (let i = rows.length < units.length ? 0 : lines.length - 1; i > 0; --i) {
      const j = below(i + 1);
      [lines[i], lines[j]] = [lines[j], lines[i]];
    }
    rows.push({ id: rows.length, title: `Article ${rows.length}`, text: lines.join("\n") });
    size += Buffer.byteLength(rows.at(-1).text);
  }
  return rows;
}

const writers = {
  "DuckDB, zstd": async (file, rows) => {
    const { DuckDBInstance } = require("@duckdb/node-api");
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const lines = file + ".jsonl";
    fs.writeFileSync(lines, rows.map((row) => JSON.stringify(row) + "\n").join(""));
    await connection.run(`copy (select * from read_json('${lines}', columns={id:'BIGINT',title:'VARCHAR',text:'VARCHAR'}))
                          to '${file}' (format parquet, compression zstd)`);
    fs.rmSync(lines);
  },
  "arrow-rs, zstd": async (file, rows) => {
    const arrow = require("apache-arrow");
    const wasm = require("parquet-wasm/node");
    const column = (key) => arrow.vectorFromArray(rows.map((row) => row[key]), new arrow.Utf8());
    const table = new arrow.Table({ title: column("title"), text: column("text") });
    const settings = new wasm.WriterPropertiesBuilder().setCompression(wasm.Compression.ZSTD).setDictionaryEnabled(false);
    const stream = arrow.tableToIPC(table, "stream");
    fs.writeFileSync(file, wasm.writeParquet(wasm.Table.fromIPCStream(stream), settings.build()));
  },
  "hyparquet, snappy": async (file, rows) => {
    const { parquetWriteFile } = await import(require.resolve("hyparquet-writer").replace(/hyparquet-writer.*/, "hyparquet-writer/src/node.js"));
    const column = (name) => ({ name, data: rows.map((row) => row[name]), type: "STRING" });
    parquetWriteFile({ filename: file, codec: "SNAPPY", columnData: [column("title"), column("text")] });
  },
};

// MB of text a second.
function bertprep(file) {
  const settings = { ...process.env, ...(file && { BERTPREP_BENCH_PARQUET: file }) };
  const output = execFileSync(program, ["--benchmark_filter=parquet", "--benchmark_format=json"],
    { env: settings, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const speed = (name) => JSON.parse(output).benchmarks.find((one) => one.name === name).bytes_per_second / 1e6;
  return { alone: speed("pages/parquet"), bertprep: speed("read/parquet") };
}

async function duckdb(file) {
  if (!file) return {};
  let library;
  try { library = require("@duckdb/node-api"); } catch { return {}; }
  const connection = await (await library.DuckDBInstance.create(":memory:", { threads: "1" })).connect();
  const [[size]] = await (await connection.runAndReadAll(`select sum(strlen(text)) from '${file}'`)).getRows();
  const speed = async (what) => {
    const begin = process.cpuUsage();
    for (let i = 0; i < 3; ++i) await connection.runAndReadAll(`select max(${what}(text)) from '${file}'`);
    const { user, system } = process.cpuUsage(begin);
    return 3 * Number(size) / (user + system);
  };
  return { hash: await speed("hash"), strlen: await speed("strlen") };
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bench-parquet."));
process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
const files = {};
let rows;
for (const [name, write] of Object.entries(writers)) {
  const file = path.join(folder, name.split(",")[0] + ".parquet");
  try {
    await write(file, (rows ??= articles()));
    files[name] = file;
  } catch (error) {
    console.log(`${name}: skipped: ${String(error.message ?? error).split("\n")[0]}`);
  }
}
rows = undefined;
if (Object.keys(files).length === 0) files["its own, zstd"] = "";

console.log(`MB of text a second of one core, best of ${rounds} rounds`.padEnd(60), "of the pages  of DuckDB's strlen");
for (const [name, file] of Object.entries(files)) {
  const best = {};
  for (let i = 0; i < rounds; ++i) {
    for (const [who, speed] of Object.entries({ ...bertprep(file), ...(await duckdb(file)) })) {
      best[who] = Math.max(best[who] ?? 0, speed);
    }
  }
  const shown = Object.entries({ pages: best.alone, bertprep: best.bertprep, strlen: best.strlen, hash: best.hash })
    .map(([who, speed]) => `${who} ${speed ? speed.toFixed(0) : "-"}`).join(", ");
  const ratio = (other) => (other ? (best.bertprep / other).toFixed(2) : "-").padStart(13);
  console.log(`${name}: ${shown}`.padEnd(60), ratio(best.alone), ratio(best.strlen));
}
