// What stands in place of a list that could not be read. Loaded when that happens.
"use client";
import { RotateCw } from "lucide-react";
import { useTexts } from "../i18n/use-texts";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import type { ListAddress } from "./use-list-address";

interface ListFailureProps {
  readonly error: unknown;
  readonly address: ListAddress;
  /** Fetches the rows again. */
  readonly onRead: () => void;
}

export default function ListFailure({ error, address, onRead }: ListFailureProps) {
  const texts = useTexts();
  const { reason, message, requestId } = failureOf(texts, error);
  return (
    <div className="grid justify-items-start gap-3">
      <Notice tone="bad" role="alert">
        {message}
        {requestId ? <span className="block font-mono text-xs">{requestId}</span> : null}
      </Notice>
      <div className="flex gap-2">
        <Button size="medium" onClick={onRead}>
          <RotateCw className="size-4" aria-hidden="true" />
          {texts("lists.tryAgain")}
        </Button>
        {reason === "validation_failed" ? (
          <Button size="medium" onClick={() => address.clear()}>
            {texts("lists.clearFilters")}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
