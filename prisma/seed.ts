// Owns making the demo merchant on demand, in whatever database is configured: npm run seed.
import { ConfigurationError, env } from "@/server/platform/env";
import { openCommandSession } from "@/server/services/command-session";
import { seedDemoOnDemand } from "@/server/services/demo/seed";

async function seed(): Promise<void> {
  const session = await openCommandSession({ migrates: true });
  try {
    const { dataDir, baseUrl } = env();
    const { envFile, created } = await seedDemoOnDemand({ dataDir, baseUrl });
    process.stdout.write(
      `${created ? "made a demo merchant" : "there is a demo merchant already"}, its keys in ${envFile}\n`,
    );
  } finally {
    await session.close();
  }
}

try {
  await seed();
  process.exit(0);
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
