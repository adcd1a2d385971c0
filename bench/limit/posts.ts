// The limit of deliveries: a process that only posts messages signed beforehand, over undici.
import { readFileSync } from "node:fs";
import { Pool } from "undici";
import { summarise } from "../statistics";

export interface PostsTask {
  /** A file with the messages, as JSON. */
  readonly messagesPath: string;
  readonly origin: string;
  readonly connections: number;
}

export interface SignedMessage {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const { messagesPath, origin, connections } = JSON.parse(process.argv[2] ?? "") as PostsTask;
const messages = JSON.parse(readFileSync(messagesPath, "utf8")) as readonly SignedMessage[];
const pool = new Pool(origin, { connections });

async function post({ path, headers, body }: SignedMessage): Promise<boolean> {
  const answer = await pool.request({
    path,
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body,
  });
  await answer.body.dump();
  return answer.statusCode < 300;
}

async function postAll(): Promise<string> {
  const latencies: number[] = [];
  let failed = 0;
  let turn = 0;
  const lane = async () => {
    for (let message = messages[turn++]; message; message = messages[turn++]) {
      const from = performance.now();
      if (await post(message)) latencies.push(performance.now() - from);
      else failed += 1;
    }
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: connections }, lane));
  return JSON.stringify({ ...summarise(latencies, (performance.now() - from) / 1_000), failed });
}

// A warm-up, since the worker has also been running for a while.
await postAll();
process.stdout.write(await postAll());
await pool.close();
