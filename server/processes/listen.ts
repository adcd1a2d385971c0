import { ConfigurationError } from "@/server/platform/env";

/** Listens on the port and resolves to it. Throws ConfigurationError if another process has the port. */
export async function listenOn(
  front: { listen(port: number, host: string): Promise<number> },
  port: number,
  host: string,
): Promise<number> {
  try {
    return await front.listen(port, host);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new ConfigurationError([
      `PORT ${port} on ${host} is taken by another process, perhaps another Sluice: end that one, or set another PORT`,
    ]);
  }
}
