// `npm run faults:fuzz -- [--seed N] [--requests N] [--minutes M] [--sequence K]`: requests from our own OpenAPI document.
import { parseArgs } from "node:util";
import { playFuzz } from "./play";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    requests: { type: "string", default: "1000000" },
    minutes: { type: "string", default: "120" },
    sequence: { type: "string" },
  },
});
const played = await playFuzz({
  seed: Number(values.seed),
  requests: Number(values.requests),
  minutes: Number(values.minutes),
  sequence: values.sequence === undefined ? null : Number(values.sequence),
});
const missing = values.sequence === undefined ? played.missing : [];
const lines = [
  ...[...played.counts, ...played.codes]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, count]) => `${name.padEnd(40)} ${count}`),
  ...missing.map((one) => `✗ ${one}`),
  ...played.violations.map((one) => `✗ ${one}`),
  `fuzz: seed ${values.seed}, ${played.requests} requests, ${played.sequences} sequences, ${Math.round(played.requests / played.seconds)} requests/s, ${played.violations.length} violations`,
];
process.stdout.write(`${lines.join("\n")}\n`);
process.exit(played.violations.length + missing.length === 0 ? 0 : 1);
