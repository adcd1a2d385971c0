// Asks for a passkey, a one-time code, the password or a fresh sign-in before an act that creates authority or moves money.
"use client";
import { ExternalLink, KeyRound } from "lucide-react";
import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { FormEnd } from "../ui/form-end";
import { Notice } from "../ui/notice";
import { openFreshSignIn } from "./fresh-sign-in";
import { signWithPasskey } from "./passkeys";
import type { BeginPasskeyProof, Proof, ProofRequest } from "./step-up-link";

interface ProofDialogProps {
  readonly request: ProofRequest;
  readonly beginPasskey: BeginPasskeyProof;
  readonly onAnswer: (proof: Proof | null) => void;
}

export function ProofDialog({ request, beginPasskey, onAnswer }: ProofDialogProps) {
  const [kind, setKind] = useState(request.kinds[0]);
  return (
    <Dialog title="Confirm that it is you" onClose={() => onAnswer(null)}>
      <div className="grid gap-4">
        <p className="text-sm text-ink-soft">{request.message} It counts for this one act.</p>
        {kind === "passkey" ? (
          <PasskeyProof
            begin={beginPasskey}
            onAnswer={onAnswer}
            onOther={request.kinds.includes("code") ? () => setKind("code") : null}
          />
        ) : kind === "freshSignIn" ? (
          <FreshSignInProof
            onAnswer={onAnswer}
            onOther={request.kinds.includes("password") ? () => setKind("password") : null}
          />
        ) : (
          <TypedProof kind={kind} onAnswer={onAnswer} />
        )}
      </div>
    </Dialog>
  );
}

interface PasskeyProofProps {
  readonly begin: BeginPasskeyProof;
  readonly onAnswer: (proof: Proof | null) => void;
  /** Switches to a one-time code; null if the member has none. */
  readonly onOther: (() => void) | null;
}

function PasskeyProof({ begin, onAnswer, onOther }: PasskeyProofProps) {
  const [isPending, setPending] = useState(false);
  const [hasFailed, setFailed] = useState(false);

  async function prove(): Promise<void> {
    if (isPending) return;
    setPending(true);
    setFailed(false);
    try {
      onAnswer({ passkey: await signWithPasskey(await begin()) });
    } catch {
      setFailed(true);
      setPending(false);
    }
  }

  return (
    <>
      {hasFailed ? (
        <Notice tone="bad" role="alert">
          The passkey did not answer. Try again.
        </Notice>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        {onOther ? (
          <Button size="medium" onClick={onOther}>
            Use a one-time code
          </Button>
        ) : null}
        <Button
          size="medium"
          tone="primary"
          data-first-focus=""
          aria-disabled={isPending || undefined}
          onClick={() => void prove()}
        >
          <KeyRound className="size-4" aria-hidden="true" />
          {isPending ? "Waiting for your device…" : "Use your passkey"}
        </Button>
      </div>
    </>
  );
}

interface FreshSignInProofProps {
  readonly onAnswer: (proof: Proof | null) => void;
  /** Switches to the password of Sluice; null if the member has none. */
  readonly onOther: (() => void) | null;
}

function FreshSignInProof({ onAnswer, onOther }: FreshSignInProofProps) {
  const [state, setState] = useState<"idle" | "open" | "refused">("idle");
  const stop = useRef(() => {});
  useEffect(() => () => stop.current(), []);

  function open(): void {
    stop.current();
    setState("open");
    stop.current = openFreshSignIn((id) => (id === null ? setState("refused") : onAnswer({ freshSignIn: id })));
  }

  return (
    <>
      {state === "refused" ? (
        <Notice tone="bad" role="alert">
          Your provider's answer was not accepted. Try again.
        </Notice>
      ) : state === "open" ? (
        <Notice tone="plain">
          Continue in the window that has opened. If there is none, allow pop-up windows for this site.
        </Notice>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        {onOther ? (
          <Button size="medium" onClick={onOther}>
            Use your password
          </Button>
        ) : null}
        <Button size="medium" tone="primary" data-first-focus="" onClick={open}>
          <ExternalLink className="size-4" aria-hidden="true" />
          {state === "idle" ? "Sign in again" : "Open the window again"}
        </Button>
      </div>
    </>
  );
}

interface TypedProofProps {
  readonly kind: "code" | "password";
  readonly onAnswer: (proof: Proof | null) => void;
}

function TypedProof({ kind, onAnswer }: TypedProofProps) {
  const [proof, setProof] = useState("");

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    onAnswer(kind === "code" ? { code: proof } : { password: proof });
  }

  return (
    <form onSubmit={onSubmit} className="grid gap-4">
      {kind === "code" ? (
        <Field
          id="proof-code"
          label="One-time code"
          inputMode="numeric"
          autoComplete="one-time-code"
          data-first-focus=""
          value={proof}
          onChange={(event) => setProof(event.target.value)}
        />
      ) : (
        <Field
          id="proof-password"
          label="Your password"
          type="password"
          autoComplete="current-password"
          data-first-focus=""
          value={proof}
          onChange={(event) => setProof(event.target.value)}
        />
      )}
      <FormEnd
        refusal={null}
        onClose={() => onAnswer(null)}
        action={["Confirm", "Checking…"]}
        isPending={false}
        isIncomplete={proof.trim() === ""}
      />
    </form>
  );
}
