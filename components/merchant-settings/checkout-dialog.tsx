"use client";
import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Dialog } from "../ui/dialog";
import { FormEnd } from "../ui/form-end";
import { type CheckoutMode, checkoutWordsIn } from "./settings";
import { useSettingChange } from "./use-setting-change";

interface CheckoutDialogProps {
  readonly present: CheckoutMode;
  readonly onClose: () => void;
}

const MODES = ["direct", "hosted"] as const;

export default function CheckoutDialog({ present, onClose }: CheckoutDialogProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const [mode, setMode] = useState(present);
  const change = useMutation(
    trpc.merchantSettings.setCheckoutMode.mutationOptions(
      useSettingChange(texts("settings.theCheckoutIsChanged"), onClose),
    ),
  );

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!change.isPending) change.mutate({ environment, mode });
  }

  return (
    <Dialog title={texts("settings.howPayersPay")} onClose={onClose}>
      <form onSubmit={onSubmit} className="grid gap-4">
        <fieldset className="grid gap-1">
          <legend className="mb-1 text-sm font-medium">{texts("settings.checkoutTitle")}</legend>
          {MODES.map((one) => (
            <label key={one} className="flex min-h-8 items-start gap-2.5 py-1 text-sm">
              <input
                type="radio"
                name="checkout-mode"
                className="mt-0.5 size-4.5 shrink-0 accent-accent"
                checked={mode === one}
                onChange={() => setMode(one)}
              />
              <span>
                {checkoutWordsIn(texts)[one].label}: {checkoutWordsIn(texts)[one].about}
              </span>
            </label>
          ))}
        </fieldset>
        <p className="caption">{texts("settings.checkoutEffect")}</p>
        <FormEnd
          refusal={change.error ? failureOf(texts, change.error).message : null}
          onClose={onClose}
          action={[texts("settings.changeCheckout"), texts("settings.changing")]}
          isPending={change.isPending}
          isIncomplete={mode === present}
        />
      </form>
    </Dialog>
  );
}
