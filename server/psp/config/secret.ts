// A secret of a provider in PROVIDERS: the text itself, or where to read it.
import { readFileSync } from "node:fs";
import { z } from "zod";
import { readVariable } from "@/server/platform/env";

function readSecretFile(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim() || null;
  } catch {
    return null;
  }
}

/**
 * The schema of a secret of at least `minimum` characters: a text, `{"file": path}` or `{"env": variable}`. Its value is
 * the secret. Files and variables are read once, when the configuration is; surrounding white space is removed.
 */
export function secret(minimum: number) {
  const source = z.union([
    z.string(),
    z.strictObject({ file: z.string().min(1) }),
    z.strictObject({ env: z.string().min(1) }),
  ]);
  return z
    .unknown()
    .transform((value, context): string => {
      const parsed = source.safeParse(value);
      const fault = (message: string) => {
        context.issues.push({ code: "custom", message, input: value });
        return z.NEVER;
      };
      if (!parsed.success) return fault('must be a text, {"file": PATH} or {"env": VARIABLE}');
      if (typeof parsed.data === "string") return parsed.data;
      if ("file" in parsed.data)
        return readSecretFile(parsed.data.file) ?? fault("names a file that is empty or unreadable");
      return readVariable(parsed.data.env) ?? fault("names an environment variable that is not set");
    })
    .pipe(z.string().min(minimum, `must have at least ${minimum} characters`));
}
