import type { Catalogue } from "../en";

export const signIn = {
  noMember:
    "Usted no es miembro activo de ningún comercio aquí, o su proveedor no verificó su dirección. Pida a un propietario o administrador que invite esa dirección.",
  factorRequired:
    "Su comercio exige un segundo factor, y su proveedor no informó haber pedido uno. Inicie sesión con una passkey, o configure un segundo factor en su proveedor.",
  codeWrong: "El código es incorrecto o ya se usó. Espere el siguiente, o use un código de recuperación.",
  singleSignOnFailed:
    "El inicio de sesión único no funcionó. Inténtelo de nuevo; si falla otra vez, avise al operador de esta instancia.",
  tooLate: "Tardó más de cinco minutos. Empiece de nuevo en la página de inicio de sesión.",
  passwordWrong: "La contraseña es incorrecta, o hubo demasiados intentos.",
  password: "Contraseña",
  connectHint:
    "Solo una vez, para conectar su cuenta aquí con el proveedor. Si nunca eligió una contraseña, avise a un propietario: otra persona abrió su invitación.",
  oneTimeCode: "Código de un solo uso",
  neverConnected: "Usted aún no había iniciado sesión aquí con el proveedor.",
  againFailed: "El nuevo inicio de sesión no funcionó. Cierre esta ventana e inténtelo de nuevo.",
  againRefused:
    "No se aceptó la respuesta del proveedor: inicie sesión con su propia cuenta, e ingrese allí su contraseña.",
  againDone: "Listo. Puede cerrar esta ventana.",
  openingYourProvider: "Abriendo su proveedor…",
  notSignedIn:
    "No se pudo iniciar sesión. Revise la dirección y la contraseña. Las cuentas se bloquean 30 minutos tras diez intentos fallidos.",
  passkeyFailed:
    "No se pudo iniciar sesión con una passkey. Use su contraseña, y agregue una passkey para este sitio en Su cuenta.",
  noAnswer: "El servicio no respondió. Inténtelo de nuevo en un momento.",
  email: "Correo electrónico",
  codeHint: "De su autenticador, o uno de sus códigos de recuperación.",
  signingIn: "Iniciando sesión…",
  signIn: "Iniciar sesión",
  signInWithPasskey: "Iniciar sesión con una passkey",
  needsJavaScript: "Para iniciar sesión se necesita JavaScript.",
  signOut: "Cerrar sesión",
  opening: "Abriendo…",
  signInWithName: "Iniciar sesión con {name}",
  linkInvalid: "Este enlace no funciona. Puede haber vencido, o haber sido usado o reemplazado. Pida uno nuevo.",
  checkingTheLink: "Verificando el enlace…",
  passwordSet: "Su contraseña está lista. <textLink>Iniciar sesión</textLink>",
  theTwoPasswordsDiffer: "Las dos contraseñas son distintas.",
  invited: "Recibió una invitación a {merchantName}. Elija la contraseña con la que iniciará sesión.",
  reset: "Elija una contraseña nueva para {merchantName}.",
  passwordHint: "Al menos 12 caracteres.",
  passwordAgain: "Repita la contraseña",
  setting: "Guardando…",
  setPassword: "Definir contraseña",
} satisfies Readonly<Record<keyof Catalogue["signIn"], string>>;
