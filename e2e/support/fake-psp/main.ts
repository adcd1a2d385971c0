// The fake provider's process: `node --import tsx e2e/support/fake-psp/main.ts --record FILE --secret TEXT [--name N]
// [--port P]`. Prints one line of JSON with its url when ready. Exits on SIGTERM, or when its parent process exits.
import { parseArgs } from "node:util";
import { listen } from "./server";

const { values } = parseArgs({
  options: {
    record: { type: "string" },
    secret: { type: "string" },
    name: { type: "string", default: "fakepsp" },
    port: { type: "string", default: "0" },
  },
});
if (!values.record || !values.secret) {
  process.stderr.write("usage: main.ts --record FILE --secret TEXT [--name NAME] [--port PORT]\n");
  process.exit(2);
}

const { url, close } = await listen({
  port: Number(values.port),
  name: values.name,
  secret: values.secret,
  recordPath: values.record,
});

async function end(): Promise<void> {
  await close();
  process.exit(0);
}
process.on("SIGTERM", () => void end());
process.on("SIGINT", () => void end());
process.on("disconnect", () => void end());
process.stdout.write(`${JSON.stringify({ url })}\n`);
