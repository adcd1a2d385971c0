import { z } from "zod";
import { object, text } from "./fields";

const roles = z.array(z.string().max(32)).max(10);

export const inviteMemberBody = object({ email: text(3, 320), roles });

export const changeRolesBody = object({ roles });
