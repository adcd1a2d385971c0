// The saved recipients of payouts: add, pay and remove them.
"use client";
import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTexts } from "../i18n/use-texts";
import { durationText, type Recipient } from "../payout-recipients/recipient";
import { RecipientRow, recipientColumnsIn } from "../payout-recipients/recipient-row";
import { useRecipients } from "../payout-recipients/use-recipients";
import { BackTo } from "../shell/back-to";
import { useMay } from "../shell/shell-context";
import { failureOf } from "../trpc/failure";
import { useAnnounce } from "../ui/announcer";
import { Button } from "../ui/button";
import { DataTable } from "../ui/data-table";
import { Notice } from "../ui/notice";
import { PageHeader } from "../ui/page-header";

const SaveDialog = lazy(() => import("../payout-recipients/save-dialog"));
const RemoveDialog = lazy(() => import("../payout-recipients/remove-dialog"));
const CreateDialog = lazy(() => import("./create-dialog"));

type Open = { readonly act: "save" } | { readonly act: "pay" | "remove"; readonly recipient: Recipient };

export function RecipientPage() {
  const texts = useTexts();
  const mayCreate = useMay("create_payouts");
  const announce = useAnnounce();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const { data, error } = useRecipients();
  const wait =
    data && data.cool_off_seconds > 0
      ? texts("payouts.coolOffHint", { duration: durationText(texts, data.cool_off_seconds) })
      : "";
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <BackTo path="payouts" label={texts("payouts.payouts")} />
      <PageHeader title={texts("payouts.recipients")} about={texts("payouts.recipientsAbout", { wait })}>
        {mayCreate ? (
          <Button size="medium" tone="primary" disabled={!data} onClick={() => setOpen({ act: "save" })}>
            <Plus className="size-4" aria-hidden="true" />
            {texts("payouts.addRecipient")}
          </Button>
        ) : null}
      </PageHeader>
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, error).message}
        </Notice>
      ) : null}
      {data?.recipients.length === 0 ? (
        <p className="rounded-lg border border-dashed border-line-strong px-6 py-16 text-center text-sm text-ink-soft">
          {texts("payouts.noRecipients", {
            next: mayCreate ? texts("payouts.addFirstRecipient") : "",
          })}
        </p>
      ) : null}
      {data && data.recipients.length > 0 ? (
        <DataTable caption={texts("payouts.recipientsByName")} columns={recipientColumnsIn(texts)}>
          {data.recipients.map((recipient) => (
            <RecipientRow
              key={recipient.id}
              recipient={recipient}
              onAct={mayCreate ? (act) => setOpen({ act, recipient }) : null}
            />
          ))}
        </DataTable>
      ) : null}
      <Suspense>
        {open?.act === "save" && data ? (
          <SaveDialog
            currencies={data.currencies}
            coolOff={data.cool_off_seconds}
            onSaved={({ holder_name: name }) => {
              announce(texts("payouts.addedName", { name }));
              close();
            }}
            onClose={close}
          />
        ) : null}
        {open?.act === "pay" ? <CreateDialog recipientId={open.recipient.id} onClose={close} /> : null}
        {open?.act === "remove" ? <RemoveDialog recipient={open.recipient} onClose={close} /> : null}
      </Suspense>
    </div>
  );
}
