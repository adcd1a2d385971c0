// `npm run faults:processes -- [fault…] [--seed 1] [--release commit]`: plays every fault of the service's processes under load,
// and prints what came of it.
import { parseArgs } from "node:util";
import { randomBelow } from "../../support/random";
import { playSeries } from "../postgres/series";
import { playsOf } from "./plays";
import { OLDER_RELEASE } from "./release";

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: "1" }, release: { type: "string", default: OLDER_RELEASE } },
});
const plays = playsOf(randomBelow(Number(values.seed)), values.release);
process.exit((await playSeries(`processes (seed ${values.seed})`, plays, wanted)) ? 0 : 1);
