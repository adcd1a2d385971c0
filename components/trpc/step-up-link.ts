// Calls that need a proof of the member: asks for it and sends the same call again.
import type { AuthenticationResponseJSON } from "@simplewebauthn/browser";
import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "@/server/trpc/router";
import { failureOf } from "./failure";

type ProofKind = "passkey" | "code" | "password";

/** What the server asks for, the best first, and what it says about it. */
export interface ProofRequest {
  readonly kinds: readonly [ProofKind, ...ProofKind[]];
  readonly message: string;
}

/** One proof, as the call takes it. */
export type Proof =
  | { readonly passkey: AuthenticationResponseJSON }
  | { readonly code: string }
  | { readonly password: string };

/** Asks the member; null if they give nothing. */
export type AskForProof = (request: ProofRequest) => Promise<Proof | null>;

/** Gets the options of one proof by a passkey. */
export type BeginPasskeyProof = () => Promise<object>;

const KINDS: Readonly<Record<string, ProofRequest["kinds"]>> = {
  passkey_required: ["passkey"],
  passkey_or_code_required: ["passkey", "code"],
  code_required: ["code"],
  password_required: ["password"],
};

function requestIn(error: unknown): ProofRequest | null {
  const { reason, message } = failureOf(error);
  const kinds = KINDS[reason];
  return kinds ? { kinds, message } : null;
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
          if (proof) send({ ...(op.input as object), ...proof });
          else observer.error(error);
        }
        send(op.input);
        return () => stop();
      });
}
