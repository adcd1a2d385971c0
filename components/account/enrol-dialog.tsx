// Setting up one-time codes: the secret as QR code and text, a first code, then the recovery codes, shown once.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useTexts } from "../i18n/use-texts";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { CodeBlock } from "../ui/code-block";
import { CopyLine } from "../ui/copy-line";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { FormEnd } from "../ui/form-end";
import { Notice } from "../ui/notice";
import { CodeField } from "./code-field";
import { useAccess } from "./use-access";

export default function EnrolDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const hasPassword = useAccess()?.has_password ?? true;
  const [code, setCode] = useState("");
  const [password, setPassword] = useState("");
  const begin = useMutation(trpc.account.beginTotp.mutationOptions());
  const confirm = useMutation(trpc.account.confirmTotp.mutationOptions());
  const failure = begin.error ?? confirm.error;

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (begin.isPending || confirm.isPending) return;
    if (begin.data) confirm.mutate({ code });
    else begin.mutate({ password: hasPassword ? password : undefined });
  }

  function onDone(): void {
    void queries.invalidateQueries({ queryKey: trpc.account.totp.queryKey() });
    onClose();
  }

  if (confirm.data) return <RecoveryCodes codes={confirm.data.recovery_codes} onClose={onDone} />;
  return (
    <Dialog title={texts("account.setUpCodes")} onClose={onClose}>
      <form onSubmit={onSubmit} className="grid gap-4">
        {begin.data ? (
          <>
            <p className="text-sm">{texts("account.scanHint")}</p>
            <QrPicture {...begin.data.qr} />
            <dl className="rounded-md border border-line px-3.5">
              <CopyLine label={texts("account.secret")} value={begin.data.secret} isCode />
            </dl>
            <CodeField code={code} onChange={setCode} />
          </>
        ) : (
          <>
            {hasPassword ? (
              <Field
                id="enrol-password"
                label={texts("account.yourPassword")}
                type="password"
                autoComplete="current-password"
                data-first-focus=""
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            ) : null}
            <p className="text-sm text-ink-soft">{texts("account.codesEndSessions")}</p>
          </>
        )}
        <FormEnd
          refusal={failure ? failureOf(texts, failure).message : null}
          onClose={onClose}
          action={[begin.data ? texts("account.putIntoUse") : texts("account.continue"), texts("account.checking")]}
          isPending={begin.isPending || confirm.isPending}
          isIncomplete={begin.data ? code.trim() === "" : hasPassword && password === ""}
        />
      </form>
    </Dialog>
  );
}

/** Dark on white in both themes, as scanners expect. */
function QrPicture({ size, path }: { readonly size: number; readonly path: string }) {
  const texts = useTexts();
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={texts("account.secretQrCode")}
      className="size-52 justify-self-center rounded-md bg-white"
      shapeRendering="crispEdges"
    >
      <path d={path} className="fill-black" />
    </svg>
  );
}

function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const texts = useTexts();
  return (
    <Dialog title={texts("account.keepYourRecoveryCodes")} onClose={onClose}>
      <Notice tone="plain">{texts("account.recoveryCodesAbout")}</Notice>
      <CodeBlock title={texts("account.recoveryCodes")} code={codes.join("\n")} />
      <div className="flex justify-end">
        <Button size="medium" tone="primary" onClick={onClose}>
          {texts("account.iHaveKeptThem")}
        </Button>
      </div>
    </Dialog>
  );
}
