// A QR code, and the same code as text for payers who pay on the device that shows it.
import type { PayerInstructions } from "@/server/contract/payer";
import { CopyButton } from "../ui/copy-button";

type QrInstructionsProps = Omit<Extract<PayerInstructions, { type: "qr" }>, "type">;

/** CSS pixels: the space on the narrowest phones. */
const WIDEST = 276;

/** Dark on white in both themes, as scanners expect. */
export function QrInstructions({ code, picture }: QrInstructionsProps) {
  // Whole pixels per module, so that all modules are equally wide.
  const side = picture.size * Math.max(2, Math.floor(WIDEST / picture.size));
  return (
    <div className="grid gap-5">
      <div className="mx-auto max-w-full rounded-lg border border-line bg-white p-1.5">
        <svg
          role="img"
          aria-label="QR code of this payment"
          viewBox={`0 0 ${picture.size} ${picture.size}`}
          width={side}
          height={side}
          shapeRendering="crispEdges"
          className="block h-auto max-w-full fill-black"
        >
          <path d={picture.path} />
        </svg>
      </div>
      <div className="rounded-md border border-line bg-sunken py-2 pr-2 pl-3.5">
        <div className="flex items-center justify-between gap-3">
          <span className="caption" id="qr-text">
            Or copy the code into your bank's app
          </span>
          <CopyButton text={code} what="payment code" tone="secondary" />
        </div>
        <p className="mt-1 pb-1 font-mono text-xs leading-relaxed break-all" aria-labelledby="qr-text">
          {code}
        </p>
      </div>
    </div>
  );
}
