// Calls that need a proof of the member: asks for it and sends the same call again.
import type { AuthenticationResponseJSON } from "@simplewebauthn/browser";
import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "@/server/trpc/router";
import { rejectionOf } from "./failure";

type ProofKind = "passkey" | "code" | "password" | "freshSignIn";

/** What the server asks for, the best first, and what it says about it. */
export interface ProofRequest {
  readonly kinds: readonly [ProofKind, ...ProofKind[]];
  readonly message: string;
}

/** One proof, as the call takes it. */
export type Proof =
  | { readonly passkey: AuthenticationResponseJSON }
  | { readonly code: string }
  | { readonly password: string }
  | { readonly freshSignIn: string };

/** Asks the member; null if they give nothing. */
export type AskForProof = (request: ProofRequest) => Promise<Proof | null>;

/** Gets the options of one proof by a passkey. */
export type BeginPasskeyProof = () => Promise<object>;

const KINDS: Readonly<Record<string, ProofRequest["kinds"]>> = {
  passkey_required: ["passkey"],
  passkey_or_code_required: ["passkey", "code"],
  code_required: ["code"],
  password_required: ["password"],
  fresh_sign_in_required: ["freshSignIn"],
  fresh_sign_in_or_password_required: ["freshSignIn", "password"],
};

function requestIn(error: unknown): ProofRequest | null {
  const rejection = rejectionOf(error);
  const kinds = KINDS[rejection?.reason ?? ""];
  return rejection && kinds ? { kinds, message: rejection.message } : null;
}

/** An act that takes a fresh sign-in may take a second factor too; every other proof replaces the one before it. */
function withProof(original: object, sent: object, proof: Proof): object {
  if ("freshSignIn" in proof) return { ...sent, ...proof };
  return { ...original, ...("freshSignIn" in sent && { freshSignIn: sent.freshSignIn }), ...proof };
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
            error: (error) => void retry(input, error),
          });
          stop = () => sent.unsubscribe();
        }
        async function retry(sent: unknown, error: Parameters<typeof observer.error>[0]): Promise<void> {
          const request = op.type === "mutation" ? requestIn(error) : null;
          const proof = request ? await ask(request) : null;
          if (proof) send(withProof(op.input as object, sent as object, proof));
          else observer.error(error);
        }
        send(op.input);
        return () => stop();
      });
}
