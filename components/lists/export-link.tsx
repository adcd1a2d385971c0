// A link to the list as a file: all rows that match the filters, in the current order.
"use client";
import { Download } from "lucide-react";
import { useTexts } from "../i18n/use-texts";
import { useMay, useShell } from "../shell/shell-context";
import { ButtonLink } from "../ui/button";
import { type Filters, searchOf } from "./filters";
import type { ListAddress } from "./use-list-address";

interface ExportLinkProps {
  readonly kind:
    | "payouts"
    | "payments"
    | "topups"
    | "statement"
    | "statement-camt053"
    | "statement-pdf"
    | "settlement-file"
    | "audit";
  readonly filters: Filters;
  /** Of a file that is not CSV. */
  readonly label?: string;
  readonly order?: ListAddress["order"];
  /** The columns of the view, which the file has; none for all. */
  readonly columns?: ListAddress["columns"];
}

/** Renders nothing for members who may not export. */
export function ExportLink({ kind, filters, label, order = {}, columns = [] }: ExportLinkProps) {
  const texts = useTexts();
  const { environment } = useShell();
  if (!useMay("export_intents")) return null;
  return (
    <ButtonLink
      size="medium"
      href={`/api/export/${environment}/${kind}${searchOf(filters, { ...order, columns })}`}
      download
    >
      <Download className="size-4" aria-hidden="true" />
      {label ?? <span className="max-sm:sr-only">{texts("lists.exportCSV")}</span>}
    </ButtonLink>
  );
}
