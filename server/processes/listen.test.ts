// Tests that a taken port is reported as a fault of the configuration, without a stack.
import { type AddressInfo, createServer } from "node:net";
import { expect, it } from "vitest";
import { ConfigurationError } from "@/server/platform/env";
import { listenOn } from "./listen";

const HOST = "127.0.0.1";

function front() {
  const server = createServer();
  return {
    server,
    listen: (port: number, host: string) =>
      new Promise<number>((resolve, reject) => {
        server.once("error", reject).listen(port, host, () => resolve((server.address() as AddressInfo).port));
      }),
  };
}

it("a port in use names PORT; a free one is listened on, and other errors stay as they are", async () => {
  const first = front();
  const port = await listenOn(first, 0, HOST);
  const refused = await listenOn(front(), port, HOST).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ConfigurationError);
  expect(String(refused)).toContain(`PORT ${port} on ${HOST} is taken`);
  first.server.close();
  const other = new Error("no");
  await expect(listenOn({ listen: () => Promise.reject(other) }, port, HOST)).rejects.toBe(other);
});
