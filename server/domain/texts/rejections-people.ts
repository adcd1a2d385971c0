// Rejections about members, roles, policies, settings and proofs. English, Brazilian Portuguese, Spanish.
import type { Sentences } from "./sentence";

export const REJECTIONS_ABOUT_PEOPLE: Sentences = [
  ["The member is disabled.", "O membro está desativado.", "El miembro está desactivado."],
  ["The member does not exist.", "O membro não existe.", "El miembro no existe."],
  [
    "Only a member who is {roles:words} can {act:words}.",
    "Só um membro com a função {roles} pode {act}.",
    "Solo un miembro con el rol {roles} puede {act}.",
  ],
  [
    "Only an owner can grant or revoke owner and admin, or change a member who has either role.",
    "Só um proprietário pode conceder ou retirar as funções de proprietário e administrador, ou alterar um membro que tenha uma delas.",
    "Solo un propietario puede conceder o retirar los roles de propietario y administrador, o cambiar a un miembro que tenga uno de ellos.",
  ],
  [
    "member is the last owner: make another member an owner first",
    "Este membro é o último proprietário: torne antes outro membro proprietário",
    "Este miembro es el último propietario: haga antes propietario a otro miembro",
  ],
  [
    "Another owner or admin must confirm the role.",
    "Outro proprietário ou administrador deve confirmar a função.",
    "Otro propietario o administrador debe confirmar el rol.",
  ],
  [
    "Only an active owner or admin can decide on a role.",
    "Só um proprietário ou administrador ativo pode decidir sobre uma função.",
    "Solo un propietario o administrador activo puede decidir sobre un rol.",
  ],
  [
    "The proposal is older than your authority; another owner or admin must confirm the role.",
    "A proposta é anterior à sua permissão; outro proprietário ou administrador deve confirmar a função.",
    "La propuesta es anterior a su permiso; otro propietario o administrador debe confirmar el rol.",
  ],
  [
    "list {list} already has {most} of your views: delete one first",
    "Esta lista já tem {most} visões suas: exclua uma antes",
    "Esta lista ya tiene {most} vistas suyas: elimine una antes",
  ],
  [
    "Only a member can change the merchant's settings here.",
    "Só um membro pode alterar aqui as configurações do lojista.",
    "Solo un miembro puede cambiar aquí la configuración del comercio.",
  ],
  [
    "Another owner or admin must confirm it: neither who proposed it, nor one whose authority is newer than the proposal.",
    "Outro proprietário ou administrador deve confirmar: nem quem propôs, nem alguém cuja permissão seja mais recente que a proposta.",
    "Otro propietario o administrador debe confirmarlo: ni quien lo propuso, ni alguien cuyo permiso sea más reciente que la propuesta.",
  ],
  [
    "Only a member can decide on top-up terms.",
    "Só um membro pode decidir sobre as condições de recarga.",
    "Solo un miembro puede decidir sobre las condiciones de recarga.",
  ],
  [
    "Another member must confirm the policy: neither who proposed it, nor one whose authority is newer than the proposal.",
    "Outro membro deve confirmar a política: nem quem a propôs, nem alguém cuja permissão seja mais recente que a proposta.",
    "Otro miembro debe confirmar la política: ni quien la propuso, ni alguien cuyo permiso sea más reciente que la propuesta.",
  ],
  [
    "No version {version} of the approval policy is proposed.",
    "Nenhuma versão {version} da política de aprovação está proposta.",
    "No hay ninguna versión {version} de la política de aprobación propuesta.",
  ],
  [
    "Only a member can change an approval policy.",
    "Só um membro pode alterar uma política de aprovação.",
    "Solo un miembro puede cambiar una política de aprobación.",
  ],
  [
    "Your merchant requires a second factor for this act; set up a passkey or one-time codes under Your account first.",
    "A sua empresa exige um segundo fator para esta ação; configure antes uma passkey ou códigos de uso único em Sua conta.",
    "Su comercio exige un segundo factor para esta acción; configure antes una passkey o códigos de un solo uso en Su cuenta.",
  ],
  [
    "a passkey or one-time codes must be set up under Your account first: this change requires one of them",
    "Configure antes uma passkey ou códigos de uso único em Sua conta: esta alteração exige um deles",
    "Configure antes una passkey o códigos de un solo uso en Su cuenta: este cambio exige uno de ellos",
  ],
  [
    "The password is wrong, or there were too many attempts.",
    "A senha está errada, ou houve tentativas demais.",
    "La contraseña es incorrecta, o hubo demasiados intentos.",
  ],
  [
    "Sign in again with {provider:words} to confirm this.",
    "Entre de novo com {provider} para confirmar.",
    "Inicie sesión de nuevo con {provider} para confirmarlo.",
  ],
  [
    "Enter your password to confirm this.",
    "Digite a sua senha para confirmar.",
    "Escriba su contraseña para confirmarlo.",
  ],
  [
    "The passkey was not accepted. Try again.",
    "A passkey não foi aceita. Tente de novo.",
    "No se aceptó la passkey. Inténtelo de nuevo.",
  ],
  ["Use your passkey to confirm this.", "Use a sua passkey para confirmar.", "Use su passkey para confirmarlo."],
  [
    "The code is wrong or was already used; enter the next one.",
    "O código está errado ou já foi usado; digite o próximo.",
    "El código es incorrecto o ya se usó; escriba el siguiente.",
  ],
  [
    "Enter the code that your authenticator shows.",
    "Digite o código que o seu autenticador mostra.",
    "Escriba el código que muestra su autenticador.",
  ],
];
