"use client";
import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { COLOR_RULE, LARGEST_LOGO, LOGO_RULE, readColor } from "@/server/domain/brand";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { FileField } from "../ui/file-field";
import { base64OfFile } from "../ui/file-text";
import { FormEnd } from "../ui/form-end";
import { Logo } from "../ui/logo";
import type { MerchantSettings } from "./settings";
import { useSettingChange } from "./use-setting-change";

interface BrandDialogProps {
  readonly present: MerchantSettings["brand"];
  readonly onClose: () => void;
}

const PNG_DATA = "data:image/png;base64,";
/** What the browser's picker shows while there is no color. */
const NO_COLOR = "#808080";

export default function BrandDialog({ present, onClose }: BrandDialogProps) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const [color, setColor] = useState(present.color ?? "");
  const [logo, setLogo] = useState(present.logo);
  const change = useMutation(
    trpc.merchantSettings.setBrand.mutationOptions(useSettingChange("The branding is changed.", onClose)),
  );
  const wanted = color.trim() === "" ? null : readColor(color);
  const isWrong = color.trim() !== "" && wanted === null;
  const isSame = wanted === present.color && logo === present.logo;

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (change.isPending || isWrong) return;
    const sent = logo === present.logo ? {} : { logo: logo && logo.slice(PNG_DATA.length) };
    change.mutate({ environment, color: wanted, ...sent });
  }

  return (
    <Dialog title="Branding of the payment page" onClose={onClose}>
      <form onSubmit={onSubmit} className="grid gap-4">
        <div className="grid grid-cols-[1fr_auto] items-start gap-3">
          <Field
            id="brand-color"
            label="Color"
            autoComplete="off"
            placeholder="#1b7f5c"
            hint="A bar at the top of the page. Leave it empty for none."
            error={isWrong ? `The color ${COLOR_RULE}.` : undefined}
            value={color}
            onChange={(event) => setColor(event.target.value)}
          />
          <input
            type="color"
            aria-label="Pick a color"
            className="mt-6.5 h-11 w-14 rounded-md border border-line-strong bg-surface p-1"
            value={wanted ?? NO_COLOR}
            onChange={(event) => setColor(event.target.value)}
          />
        </div>
        <FileField
          label="Logo"
          accept="image/png"
          longest={LARGEST_LOGO}
          tooLarge={LOGO_RULE}
          read={base64OfFile}
          onChoose={({ text }) => setLogo(PNG_DATA + text)}
        />
        {logo === null ? (
          <p className="caption">No logo: payers see the name alone.</p>
        ) : (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <Logo src={logo} name="The logo" />
            <Button size="medium" onClick={() => setLogo(null)}>
              Remove logo
            </Button>
          </div>
        )}
        <p className="caption">It holds in test and live. Owners receive a notice of the change.</p>
        <FormEnd
          refusal={change.error ? failureOf(change.error).message : null}
          onClose={onClose}
          action={["Change branding", "Changing…"]}
          isPending={change.isPending}
          isIncomplete={isSame || isWrong}
        />
      </form>
    </Dialog>
  );
}
