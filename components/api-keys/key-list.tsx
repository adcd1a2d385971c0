"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { DataTable } from "../ui/data-table";
import { Notice } from "../ui/notice";
import { PageHeader } from "../ui/page-header";
import { KeyRow } from "./key-row";
import { Quickstart } from "./quickstart";

const CreateKeyDialog = lazy(() => import("./create-key-dialog"));
const RollKeyDialog = lazy(() => import("./end-key-dialogs").then((module) => ({ default: module.RollKeyDialog })));
const RevokeKeyDialog = lazy(() => import("./end-key-dialogs").then((module) => ({ default: module.RevokeKeyDialog })));

const columnsIn = (texts: Texts) => [
  { label: texts("keys.key") },
  { label: texts("keys.state") },
  { label: texts("keys.lastUsed") },
  { label: texts("keys.created") },
  { label: texts("keys.actions"), isLabelHidden: true },
];

type Open = { readonly act: "roll" | "revoke"; readonly id: string; readonly name: string };

export function KeyList({ baseUrl }: { readonly baseUrl: string }) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const [isCreating, setCreating] = useState(false);
  const [open, setOpen] = useState<Open | null>(null);
  const { data, error } = useQuery(trpc.apiKeys.list.queryOptions({ environment }));
  const close = () => setOpen(null);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader
        title={texts("keys.apiKeys")}
        about={texts("keys.keysAbout", {
          kind: environment === "test" ? texts("keys.test") : texts("keys.live"),
          environment,
        })}
      >
        <Button size="medium" tone="primary" onClick={() => setCreating(true)}>
          <Plus className="size-4" aria-hidden="true" />
          {texts("keys.createKey")}
        </Button>
      </PageHeader>
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, error).message}
        </Notice>
      ) : null}
      {data && data.length === 0 ? (
        <p className="rounded-lg border border-dashed border-line-strong px-6 py-16 text-center text-sm text-ink-soft">
          {texts("keys.noKeys")}
        </p>
      ) : null}
      {data && data.length > 0 ? (
        <DataTable caption={texts("keys.keysTable")} columns={columnsIn(texts)}>
          {data.map((apiKey) => (
            <KeyRow key={apiKey.id} apiKey={apiKey} onAct={(act) => setOpen({ act, ...apiKey })} />
          ))}
        </DataTable>
      ) : null}
      <Quickstart baseUrl={baseUrl} />
      <Suspense>
        {isCreating ? <CreateKeyDialog onClose={() => setCreating(false)} /> : null}
        {open?.act === "roll" ? <RollKeyDialog id={open.id} name={open.name} onClose={close} /> : null}
        {open?.act === "revoke" ? <RevokeKeyDialog id={open.id} name={open.name} onClose={close} /> : null}
      </Suspense>
    </div>
  );
}
