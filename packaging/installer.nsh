; Windows starts this class when a notification is clicked after its program has ended. The program keeps the entry up to date
; (TOAST_ACTIVATOR in src/main/hosts/electron/main.ts); without it an old notification would do nothing until the first start.
!define TOAST_ACTIVATOR "{4E1B7C52-6D0A-4B3F-9A2E-7C51D08E94B6}"

!macro customInstall
  WriteRegStr HKCU "Software\Classes\CLSID\${TOAST_ACTIVATOR}\LocalServer32" "" "$appExe"
  ; Links such as dailies://job/ID (src/main/hosts/electron/system/opened.ts).
  WriteRegStr HKCU "Software\Classes\dailies" "" "URL:Dailies link"
  WriteRegStr HKCU "Software\Classes\dailies" "URL Protocol" ""
  WriteRegStr HKCU "Software\Classes\dailies\shell\open\command" "" '"$appExe" "%1"'
!macroend

!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegKey HKCU "Software\Classes\CLSID\${TOAST_ACTIVATOR}"
    DeleteRegKey HKCU "Software\Classes\dailies"
  ${endIf}
!macroend
