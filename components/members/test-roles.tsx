// Roles of a member in the test environment, where they differ from those in live.
"use client";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts";
import { Button } from "../ui/button";
import { RolePicker } from "./role-picker";

interface TestRolesProps {
  /** Null where they are the same as in live. */
  readonly given: readonly string[] | null;
  readonly onSave: (roles: readonly string[] | null) => void;
}

export function TestRoles({ given, onSave }: TestRolesProps) {
  const texts = useTexts();
  const [roles, setRoles] = useState(given);
  const isSame =
    roles === null || given === null
      ? roles === given
      : roles.length === given.length && roles.every((role) => given.includes(role));
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <h3 className="text-sm">{texts("members.inTheTestEnvironment")}</h3>
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={roles !== null}
          onChange={({ target }) => setRoles(target.checked ? [] : null)}
        />
        {texts("members.testRoles")}
      </label>
      {roles === null ? null : (
        <RolePicker
          legend={texts("members.rolesInTest")}
          chosen={roles}
          held={["owner"]}
          mayGiveAll
          onChange={setRoles}
        />
      )}
      <p className="caption">{texts("members.testRolesHint")}</p>
      <div className="flex justify-end">
        <Button size="medium" disabled={isSame} onClick={() => onSave(roles)}>
          {texts("members.saveTestRoles")}
        </Button>
      </div>
    </div>
  );
}
