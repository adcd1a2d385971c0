// Asks for a passkey, a one-time code, the password or a fresh sign-in before an act that creates authority or moves money.
"use client";
import { ExternalLink, KeyRound } from "lucide-react";
import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { useTexts } from "../i18n/use-texts";
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

export default function ProofDialog({ request, beginPasskey, onAnswer }: ProofDialogProps) {
  const texts = useTexts();
  const [kind, setKind] = useState(request.kinds[0]);
  return (
    <Dialog title={texts("common.proofTitle")} onClose={() => onAnswer(null)}>
      <div className="grid gap-4">
        <p className="text-sm text-ink-soft">{texts("common.proofAbout", { message: request.message })}</p>
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
  const texts = useTexts();
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
          {texts("common.passkeyFailed")}
        </Notice>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={() => onAnswer(null)}>
          {texts("common.cancel")}
        </Button>
        {onOther ? (
          <Button size="medium" onClick={onOther}>
            {texts("common.useCode")}
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
          {isPending ? texts("common.waitingForYourDevice") : texts("common.useYourPasskey")}
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
  const texts = useTexts();
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
          {texts("common.freshSignInRefused")}
        </Notice>
      ) : state === "open" ? (
        <Notice tone="plain">{texts("common.freshSignInHint")}</Notice>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={() => onAnswer(null)}>
          {texts("common.cancel")}
        </Button>
        {onOther ? (
          <Button size="medium" onClick={onOther}>
            {texts("common.useYourPassword")}
          </Button>
        ) : null}
        <Button size="medium" tone="primary" data-first-focus="" onClick={open}>
          <ExternalLink className="size-4" aria-hidden="true" />
          {state === "idle" ? texts("common.signInAgain") : texts("common.openTheWindowAgain")}
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
  const texts = useTexts();
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
          label={texts("common.oneTimeCode")}
          inputMode="numeric"
          autoComplete="one-time-code"
          data-first-focus=""
          value={proof}
          onChange={(event) => setProof(event.target.value)}
        />
      ) : (
        <Field
          id="proof-password"
          label={texts("common.yourPassword")}
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
        action={[texts("common.confirm"), texts("common.checking")]}
        isPending={false}
        isIncomplete={proof.trim() === ""}
      />
    </form>
  );
}
