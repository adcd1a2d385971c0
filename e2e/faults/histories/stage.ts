// What histories are played on: a database, a service of several processes, a provider, and a receiver of the merchant's webhooks.
import { createEndpoint } from "../../rest/webhook-calls";
import { type DatabaseStage, openDatabaseStage } from "../postgres/play";
import { type HookReceiver, startHookReceiver } from "./webhooks";

const ENV = { WEB_CONCURRENCY: "2", WORKER_CONCURRENCY: "2", PROVIDER_DEADLINE_MS: "1000" };

export interface HistoryStage extends DatabaseStage {
  readonly hooks: HookReceiver;
}

/** Starts everything; takes some seconds. */
export async function openHistoryStage(): Promise<HistoryStage> {
  const hooks = await startHookReceiver();
  try {
    const stage = await openDatabaseStage({ env: ENV });
    const { secret } = await createEndpoint(stage.bridge.live, hooks.url);
    hooks.trust(secret);
    return {
      ...stage,
      hooks,
      async close() {
        await stage.close();
        await hooks.stop();
      },
    };
  } catch (error) {
    await hooks.stop();
    throw error;
  }
}
