// The database limit: a process that only runs the statements, without HTTP, keys, checks or JSON.
import { Client } from "pg";
import { createPayment, listPayments, readPayment } from "../peer/payments";
import { loadSample } from "../peer/rows";
import { summarise } from "../statistics";
import { type LimitTask, limitLanes } from "./task";

const task = JSON.parse(process.argv[2] ?? "") as LimitTask;
const sample = loadSample(task.samplePath);
const latencies: number[] = [];
let failed = 0;

async function once(client: Client): Promise<unknown> {
  const { work, merchantId, ids } = task;
  if (work === "statements" || work === "cte") return createPayment(client, sample, work);
  if (work === "read") return readPayment(client, merchantId, ids[Math.floor(Math.random() * ids.length)] ?? "");
  return listPayments(client, merchantId, work === "deep" ? task.deep : null);
}

async function lane(end: number): Promise<void> {
  const client = new Client({ connectionString: task.url });
  await client.connect();
  while (performance.now() < end) {
    const from = performance.now();
    try {
      await once(client);
      latencies.push(performance.now() - from);
    } catch {
      failed += 1;
    }
  }
  await client.end();
}

const end = performance.now() + task.seconds * 1_000;
await Promise.all(Array.from({ length: limitLanes(task.connections) }, () => lane(end)));
process.stdout.write(JSON.stringify({ ...summarise(latencies, task.seconds), failed }));
