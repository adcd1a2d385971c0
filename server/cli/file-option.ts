// Reading a file that an option names.
import { readFile } from "node:fs/promises";
import { UsageError } from "./command";

/** The file's bytes. Throws UsageError, naming the option, for a file that cannot be read. */
export async function readFileOption(name: string, path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    throw new UsageError(`--${name}: ${(error as Error).message}`);
  });
}
