// The merchant's page that the payer's page leads back to. The payer's browser opens it, never this service.
import type { Environment } from "./scope";

const LONGEST = 2048;
const PROTOCOLS: Readonly<Record<Environment, readonly string[]>> = { live: ["https:"], test: ["https:", "http:"] };

function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Returns what is wrong with a return URL, to follow its name in an error; null if nothing. */
export function returnUrlFault(text: string, environment: Environment): string | null {
  if (text.length > LONGEST) return `must have at most ${LONGEST} characters`;
  // Parsing would repair these, and a reader would not see where the link leads.
  if (!/^[!-[\]-~\u00a1-\u1fff\u3000-\ud7ff\uf900-\ufffd]+$/.test(text)) {
    return "must not be empty or contain spaces, invisible characters or backslashes";
  }
  const url = /^https?:\/\/[^/]/i.test(text) ? parsed(text) : null;
  if (!url) return "must be an absolute https URL, with a test key also http";
  if (!PROTOCOLS[environment].includes(url.protocol)) return "must be https with a live key";
  return url.username === "" && url.password === "" ? null : "must not contain a user name or password";
}
