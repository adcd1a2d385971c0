"use client";
import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTexts } from "../i18n/use-texts";
import { useMay } from "../shell/shell-context";
import { Button } from "../ui/button";

const CreateDialog = lazy(() => import("./create-dialog"));

/** Renders nothing for members who may not create payouts. */
export function CreateButton() {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  if (!useMay("create_payouts")) return null;
  return (
    <>
      <Button size="medium" tone="primary" onClick={() => setOpen(true)}>
        <Plus className="size-4" aria-hidden="true" />
        {texts("payouts.newPayout")}
      </Button>
      <Suspense>{isOpen ? <CreateDialog onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  );
}
