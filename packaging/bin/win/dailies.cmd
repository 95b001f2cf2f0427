@echo off
rem The command line of an installed Dailies. A prompt does not wait for a program with windows; a script, such as this one, does.
"%~dp0..\..\Dailies.exe" cli %*
exit /b %ERRORLEVEL%
