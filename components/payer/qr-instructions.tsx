// A QR code, and the same code as text for payers who pay on the device that shows it. On a phone the text comes first.
import type { PayerInstructions } from "@/server/contract/payer";
import type { PayerTexts } from "../i18n/texts";
import { CopyControl } from "../ui/copy-button";
import { copyWords } from "./copy-words";

type QrInstructionsProps = Omit<Extract<PayerInstructions, { type: "qr" }>, "type"> & { readonly texts: PayerTexts };

/** CSS pixels: the space on the narrowest phones. */
const WIDEST = 276;

/** Dark on white in both themes, as scanners expect. */
export function QrInstructions({ texts, code, picture }: QrInstructionsProps) {
  // Whole pixels per module, so that all modules are equally wide.
  const side = picture.size * Math.max(2, Math.floor(WIDEST / picture.size));
  return (
    <div className="grid gap-5">
      <div className="rounded-md border border-line bg-sunken py-2 ps-3.5 pe-2 sm:order-2">
        <div className="flex items-center justify-between gap-3">
          <span className="caption" id="qr-text">
            {texts("qr.paste")}
          </span>
          <CopyControl text={code} words={copyWords(texts, texts("field.code"))} tone="secondary" />
        </div>
        <p dir="ltr" className="mt-1 pb-1 font-mono text-xs leading-relaxed break-all" aria-labelledby="qr-text">
          {code}
        </p>
      </div>
      <div className="grid justify-items-center gap-2">
        <p className="caption sm:hidden">{texts("qr.scan")}</p>
        <div className="max-w-full rounded-lg border border-line bg-white p-1.5">
          <svg
            role="img"
            aria-label={texts("qr.picture")}
            viewBox={`0 0 ${picture.size} ${picture.size}`}
            width={side}
            height={side}
            shapeRendering="crispEdges"
            className="block h-auto max-w-full fill-black"
          >
            <path d={picture.path} />
          </svg>
        </div>
      </div>
    </div>
  );
}
