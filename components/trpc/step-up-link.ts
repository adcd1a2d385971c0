// Calls that need a proof of the member: asks for it and sends the same call again.
import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "@/server/trpc/router";
import { failureOf } from "./failure";

/** What the server asks for, and what it says about it. */
export interface ProofRequest {
  readonly kind: "code" | "password";
  readonly message: string;
}

/** Asks the member; null if they give nothing. */
export type AskForProof = (request: ProofRequest) => Promise<string | null>;

function requestIn(error: unknown): ProofRequest | null {
  const { reason, message } = failureOf(error);
  if (reason === "code_required") return { kind: "code", message };
  return reason === "password_required" ? { kind: "password", message } : null;
}

/** Each proof goes with one call only, as the server demands. */
export function stepUpLink(ask: AskForProof): TRPCLink<AppRouter> {
  return () =>
    ({ next, op }) =>
      observable((observer) => {
        let stop = () => {};
        function send(input: unknown): void {
          const sent = next({ ...op, input }).subscribe({
            next: (value) => observer.next(value),
            complete: () => observer.complete(),
            error: (error) => void retry(error),
          });
          stop = () => sent.unsubscribe();
        }
        async function retry(error: Parameters<typeof observer.error>[0]): Promise<void> {
          const request = op.type === "mutation" ? requestIn(error) : null;
          const proof = request ? await ask(request) : null;
          if (request && proof !== null) send({ ...(op.input as object), [request.kind]: proof });
          else observer.error(error);
        }
        send(op.input);
        return () => stop();
      });
}
