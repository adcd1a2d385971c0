import type { Texts } from "../i18n/dashboard-texts";
import { roleText } from "../i18n/role-text";
import { useTexts } from "../i18n/use-texts";
import { Notice } from "../ui/notice";

const rolesIn = (texts: Texts) =>
  [
    { role: "owner", about: texts("members.ownerMay") },
    { role: "admin", about: texts("members.adminMay") },
    { role: "approver", about: texts("members.approvesAndCancelsPayouts") },
    { role: "finance", about: texts("members.financeMay") },
    { role: "developer", about: texts("members.developerMay") },
  ] as const;

interface RolePickerProps {
  readonly legend?: string;
  readonly chosen: readonly string[];
  /** Only an owner can grant owner and admin. */
  readonly mayGiveAll: boolean;
  /** The roles that the member has already. */
  readonly held?: readonly string[];
  readonly onChange: (roles: readonly string[]) => void;
}

export function RolePicker({ legend, chosen, mayGiveAll, held = [], onChange }: RolePickerProps) {
  const texts = useTexts();
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-sm font-medium">{legend ?? texts("members.roles")}</legend>
      {rolesIn(texts).map(({ role, about }) => (
        <label key={role} className="flex min-h-8 items-start gap-2.5 py-1 text-sm has-disabled:text-ink-soft">
          <input
            type="checkbox"
            className="mt-0.5 size-4.5 shrink-0 accent-accent"
            checked={chosen.includes(role)}
            disabled={!mayGiveAll && (role === "owner" || role === "admin")}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, role] : chosen.filter((other) => other !== role))
            }
          />
          <span>
            {roleText(texts, role)}: {about}
          </span>
        </label>
      ))}
      {chosen.includes("owner") && !held.includes("owner") ? <OwnerGain /> : null}
      {mayGiveAll ? null : <p className="caption">{texts("members.ownersOnly")}</p>}
    </fieldset>
  );
}

function OwnerGain() {
  const texts = useTexts();
  return (
    <Notice tone="plain" className="mt-1">
      {texts("members.ownerWarning")}
    </Notice>
  );
}
