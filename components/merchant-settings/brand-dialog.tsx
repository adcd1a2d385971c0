"use client";
import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { LARGEST_LOGO, LONGEST_LOGO_SIDE, readColor } from "@/server/domain/brand";
import { useTexts } from "../i18n/use-texts";
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
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const [color, setColor] = useState(present.color ?? "");
  const [logo, setLogo] = useState(present.logo);
  const change = useMutation(
    trpc.merchantSettings.setBrand.mutationOptions(useSettingChange(texts("settings.theBrandingIsChanged"), onClose)),
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
    <Dialog title={texts("settings.brandingTitle")} onClose={onClose}>
      <form onSubmit={onSubmit} className="grid gap-4">
        <div className="grid grid-cols-[1fr_auto] items-start gap-3">
          <Field
            id="brand-color"
            label={texts("settings.color")}
            autoComplete="off"
            placeholder="#1b7f5c"
            hint={texts("settings.colorHint")}
            error={isWrong ? texts("settings.colorRule") : undefined}
            value={color}
            onChange={(event) => setColor(event.target.value)}
          />
          <input
            type="color"
            aria-label={texts("settings.pickAColor")}
            className="mt-6.5 h-11 w-14 rounded-md border border-line-strong bg-surface p-1"
            value={wanted ?? NO_COLOR}
            onChange={(event) => setColor(event.target.value)}
          />
        </div>
        <FileField
          label={texts("settings.logo")}
          accept="image/png"
          longest={LARGEST_LOGO}
          tooLarge={texts("settings.logoRule", { size: LARGEST_LOGO / 1_000, side: LONGEST_LOGO_SIDE })}
          read={base64OfFile}
          onChoose={({ text }) => setLogo(PNG_DATA + text)}
        />
        {logo === null ? (
          <p className="caption">{texts("settings.noLogo")}</p>
        ) : (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <Logo src={logo} name={texts("settings.theLogo")} />
            <Button size="medium" onClick={() => setLogo(null)}>
              {texts("settings.removeLogo")}
            </Button>
          </div>
        )}
        <p className="caption">{texts("settings.brandHolds")}</p>
        <FormEnd
          refusal={change.error ? failureOf(texts, change.error).message : null}
          onClose={onClose}
          action={[texts("settings.changeBranding"), texts("settings.changing")]}
          isPending={change.isPending}
          isIncomplete={isSame || isWrong}
        />
      </form>
    </Dialog>
  );
}
