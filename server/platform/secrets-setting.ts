// The operator's secrets: in a variable such as SLUICE_SECRETS, or in the file that SLUICE_SECRETS_FILE names.
import { readFileSync } from "node:fs";

interface SecretsSetting {
  /** The variable to name in faults. */
  readonly name: string;
  /** Comma-separated secrets; null if neither variable is set or the file has none. */
  readonly value: string | null;
  readonly faults: readonly string[];
}

/**
 * Returns the secrets as text, from whichever variable is set. A file without text is a fault: a new secret could not
 * decrypt existing data. Faults name neither the path nor its content, which may be a secret in the wrong variable.
 */
export function secretsSetting(variable: string, value: string | null, path: string | null): SecretsSetting {
  if (path === null) return { name: variable, value, faults: [] };
  const name = `${variable}_FILE`;
  const failed = (fault: string) => ({ name, value: null, faults: [`${name} ${fault}`] });
  if (value !== null) return failed(`is set beside ${variable}: set only one of them`);
  try {
    const text = readFileSync(path, "utf8").trim();
    return text === "" ? failed("names an empty file; restore its secrets") : { name, value: text, faults: [] };
  } catch (error) {
    return failed(`names a file that cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown"})`);
  }
}
