// `npm run drill:upgrade -- [--release commit]`: upgrades an older release under load, and prints what came of it.
import { parseArgs } from "node:util";
import { folderOfRelease, OLDER_RELEASE } from "../../faults/processes/release";
import { playUpgrade } from "./play";

const { values } = parseArgs({ options: { release: { type: "string", default: OLDER_RELEASE } } });
const played = await playUpgrade(folderOfRelease(values.release));
for (const [step, ms] of Object.entries(played.steps)) process.stdout.write(`  ${step}: ${ms} ms\n`);
for (const problem of played.problems) process.stdout.write(`  ✗ ${problem}\n`);
const { acknowledged, unavailable, broken, callbacks, approvals, downtimeMs, migrations, problems } = played;
process.stdout.write(
  `upgrade: ${migrations} migrations under ${acknowledged} writes, ${approvals.join(" + ")} approvals and ${callbacks.join(" + ")} callbacks; ` +
    `no write acknowledged for ${downtimeMs} ms; ${unavailable} answers 503, ${broken} broken connections, ${problems.length} problems\n`,
);
process.exit(problems.length === 0 ? 0 : 1);
