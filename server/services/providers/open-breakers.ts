// The open breakers of a running service. They are in the memory of its processes; its metrics join them.

export interface OpenBreaker {
  readonly provider: string;
  /** A payment method, or the currency of payouts or top-ups. */
  readonly channel: string;
}

const READ_WITHIN_MS = 10_000;
const OPEN = /^sluice_provider_breaker_open\{([^}]*)\} 1$/gm;

/** Returns the open breakers of a text of metrics, each once although several processes can have it. */
export function openBreakersIn(metrics: string): OpenBreaker[] {
  const found = [...metrics.matchAll(OPEN)].map(([, labels = ""]) => {
    const label = (name: string) => new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1] ?? "";
    return { provider: label("provider"), channel: label("channel") };
  });
  return [...new Map(found.map((one) => [`${one.provider} ${one.channel}`, one])).values()];
}

/** Reads the open breakers of the service at an origin. Returns why not, as a text, if it cannot. */
export async function readOpenBreakers(origin: string, token: string | null): Promise<readonly OpenBreaker[] | string> {
  if (token === null) return "METRICS_TOKEN is not set";
  const address = `${origin}/metrics`;
  try {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(address, { headers, redirect: "error", signal: AbortSignal.timeout(READ_WITHIN_MS) });
    if (answer.status !== 200) return `${address} answered with status ${answer.status}`;
    return openBreakersIn(await answer.text());
  } catch {
    return `${address} did not answer`;
  }
}
