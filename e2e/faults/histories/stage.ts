// What histories are played on: a database, a service of several processes, and a provider.
import { type DatabaseStage, openDatabaseStage } from "../postgres/play";

const ENV = { WEB_CONCURRENCY: "2", WORKER_CONCURRENCY: "2", PROVIDER_DEADLINE_MS: "1000" };

/** Starts everything; takes some seconds. */
export const openHistoryStage = (): Promise<DatabaseStage> => openDatabaseStage({ env: ENV });
