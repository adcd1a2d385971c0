// A link to the list as a CSV file: all rows that match the filters, in the current order.
"use client";
import { Download } from "lucide-react";
import { useMay, useShell } from "../shell/shell-context";
import { ButtonLink } from "../ui/button";
import { type Filters, searchOf } from "./filters";
import type { ListAddress } from "./use-list-address";

interface ExportLinkProps {
  readonly kind: "payouts" | "payments" | "topups" | "statement" | "audit";
  readonly filters: Filters;
  readonly order?: ListAddress["order"];
}

/** Renders nothing for members who may not export. */
export function ExportLink({ kind, filters, order = {} }: ExportLinkProps) {
  const { environment } = useShell();
  if (!useMay("export_intents")) return null;
  return (
    <ButtonLink size="medium" href={`/api/export/${environment}/${kind}${searchOf(filters, order)}`} download>
      <Download className="size-4" aria-hidden="true" />
      Export CSV
    </ButtonLink>
  );
}
