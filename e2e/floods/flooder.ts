// A process that plays one flood until it is killed, and reports each second what it has counted.
import { FLOODS } from "./floods";

const [name = "", port = "", cookie = ""] = process.argv.slice(2);
const counts: Record<string, number> = {};
const count = (event: string): void => {
  counts[event] = (counts[event] ?? 0) + 1;
};

FLOODS[name]?.({ host: "127.0.0.1", port: Number(port), from: "127.0.0.2", cookie, count });
setInterval(() => process.stdout.write(`${JSON.stringify(counts)}\n`), 1_000);
