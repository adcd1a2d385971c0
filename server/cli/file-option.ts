import { readFile } from "node:fs/promises";
import { UsageError } from "./command";

/** Returns the bytes of the file. Throws UsageError, naming the option, if it cannot be read. */
export async function readFileOption(name: string, path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    throw new UsageError(`--${name}: ${(error as Error).message}`);
  });
}
