// The route table: every REST operation, once. The handlers and the OpenAPI document use it.
import type { Operation, Params } from "./operation";
import { apiLogOperations } from "./operations/api-logs";
import { eventOperations } from "./operations/events";
import { paymentIntentOperations } from "./operations/payment-intents";
import { payoutIntentOperations } from "./operations/payout-intents";
import { sandboxOperations } from "./operations/sandbox";
import { topupIntentOperations } from "./operations/topup-intents";
import { walletOperations } from "./operations/wallets";
import { webhookEndpointOperations } from "./operations/webhook-endpoints";

export const BASE_PATH = "/v1";

export const OPERATIONS: readonly Operation[] = [
  ...paymentIntentOperations,
  ...payoutIntentOperations,
  ...topupIntentOperations,
  ...walletOperations,
  ...eventOperations,
  ...webhookEndpointOperations,
  ...apiLogOperations,
  ...sandboxOperations,
];

export interface Match {
  /** The path below /v1 as the operations declare it, such as `/payment_intents/:id`. */
  readonly path: string;
  /** Method → operation of the one path that matches. */
  readonly operations: ReadonlyMap<string, Operation>;
  readonly params: Params;
}

interface Template {
  readonly path: string;
  readonly segments: readonly string[];
  readonly operations: Map<string, Operation>;
}

const TEMPLATES: readonly Template[] = [...new Set(OPERATIONS.map(({ path }) => path))].map((path) => ({
  path,
  segments: path.split("/").slice(1),
  operations: new Map(OPERATIONS.filter((o) => o.path === path).map((operation) => [operation.method, operation])),
}));

/** Returns the operations of a path below /v1, or null. Parameters are not decoded: no id needs it. */
export function matchPath(path: string): Match | null {
  const segments = path.split("/").slice(1);
  for (const template of TEMPLATES) {
    const params = matchSegments(template.segments, segments);
    if (params) return { path: template.path, operations: template.operations, params };
  }
  return null;
}

function matchSegments(template: readonly string[], segments: readonly string[]): Params | null {
  if (template.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, expected] of template.entries()) {
    const segment = segments[index] ?? "";
    if (expected.startsWith(":") && segment !== "") params[expected.slice(1)] = segment;
    else if (expected !== segment) return null;
  }
  return params;
}
