import type { Catalogue } from "../en";

export const signIn = {
  youAreNoActiveMemberOf:
    "Usted no es miembro activo de un comercio aquí, o su proveedor no verificó su dirección. Pida a un propietario o administrador que invite esa dirección.",
  yourMerchantRequiresASecondFactor:
    "Su comercio exige un segundo factor, y su proveedor no dijo que pidió uno. Entre con una passkey, o configure un segundo factor en su proveedor.",
  theCodeIsWrongOrWas: "El código es erróneo o ya se usó. Espere el siguiente, o use un código de recuperación.",
  singleSignOnDidNotWork:
    "El inicio de sesión único no funcionó. Inténtelo de nuevo; si falla otra vez, avise al operador de esta instancia.",
  youTookLongerThanFiveMinutes: "Tardó más de cinco minutos. Empiece de nuevo en la página de inicio de sesión.",
  thePasswordIsWrongOrThere: "La contraseña es errónea, o hubo demasiados intentos.",
  password: "Contraseña",
  onceToConnectYourAccountHere:
    "Una vez, para conectar su cuenta aquí con el proveedor. Si nunca eligió una contraseña, avise a un propietario: otra persona abrió su invitación.",
  oneTimeCode: "Código de un solo uso",
  youHaveNotSignedInHere: "Usted aún no entró aquí con el proveedor.",
  signingInAgainDidNotWork: "El nuevo inicio de sesión no funcionó. Cierre esta ventana e inténtelo de nuevo.",
  theProvidersAnswerWasNotAccepted:
    "No se aceptó la respuesta del proveedor: entre con su propia cuenta, e ingrese allí su contraseña.",
  doneYouCanCloseThisWindow: "Listo. Puede cerrar esta ventana.",
  openingYourProvider: "Abriendo su proveedor…",
  weCouldNotSignYouIn:
    "No se pudo iniciar la sesión. Revise la dirección y la contraseña. Las cuentas se bloquean 30 minutos tras diez intentos fallidos.",
  weCouldNotSignYouIn2:
    "No se pudo entrar con una passkey. Use su contraseña, y agregue una passkey para este sitio en Su cuenta.",
  theServiceDidNotAnswerPlease: "El servicio no respondió. Inténtelo de nuevo en un momento.",
  email: "Correo electrónico",
  fromYourAuthenticatorOrOneOf: "De su autenticador, o uno de sus códigos de recuperación.",
  signingIn: "Entrando…",
  signIn: "Entrar",
  signInWithAPasskey: "Entrar con una passkey",
  signingInNeedsJavaScript: "Para entrar se necesita JavaScript.",
  signOut: "Cerrar sesión",
  opening: "Abriendo…",
  signInWithName: "Entrar con {name}",
  thisLinkDoesNotWorkIt:
    "Este enlace no funciona. Pudo haber vencido, haberse usado o haberse reemplazado. Pida uno nuevo.",
  checkingTheLink: "Verificando el enlace…",
  yourPasswordIsSetSignIn: "Su contraseña está lista. <textLink>Entrar</textLink>",
  theTwoPasswordsDiffer: "Las dos contraseñas son distintas.",
  youAreInvitedToMerchantNameChoose: "Lo invitaron a {merchantName}. Elija la contraseña con la que entrará.",
  chooseANewPasswordForMerchantName: "Elija una contraseña nueva para {merchantName}.",
  atLeast12Characters: "Al menos 12 caracteres.",
  passwordAgain: "Contraseña otra vez",
  setting: "Guardando…",
  setPassword: "Fijar contraseña",
} satisfies Readonly<Record<keyof Catalogue["signIn"], string>>;
