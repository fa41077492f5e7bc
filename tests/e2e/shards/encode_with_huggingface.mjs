// Prints the ids of each line of stdin, as HuggingFace's own library finds them with the tokenizer in FOLDER.
//   node encode_with_huggingface.mjs FOLDER PATH_OF_THE_LIBRARY [json] <lines
// With "json", lines are texts as JSON strings.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, library, json] = process.argv.slice(2);
const { Tokenizer } = await import(pathToFileURL(path.join(library, "dist/tokenizers.mjs")));
const read = (name) => JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));
const tokenizer = new Tokenizer(read("tokenizer.json"), read("tokenizer_config.json"));
const lines = fs.readFileSync(0, "utf8").split("\n");
for (const line of lines.slice(0, -1)) {
  console.log(tokenizer.encode(json ? JSON.parse(line) : line).ids.join(" "));
}
