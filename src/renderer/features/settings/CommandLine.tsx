import { t } from '../../../shared/texts.ts';
import { saveSettings, useAction, useStudio } from '../../app/index.ts';
import { Checkbox, rich } from '../../ui/index.ts';
import { Group, SettingsSection } from './form.tsx';

/** Whether programs of this user reach the studio of this window; the browser host answers them in any case. */
export function CommandLine() {
  const isOn = useStudio((state) => state.settings?.commandLine ?? false);
  const launcher = useStudio((state) => state.info?.launcher);
  const isWindow = useStudio((state) => state.info?.host === 'electron');
  const { refusal, run } = useAction();
  return (
    <SettingsSection label={t`Command line`}>
      <Group
        title={t`Programs of this computer`}
        text={t`The command line, and programs that speak the Model Context Protocol (dailies mcp), read boards, draft and ask for orders over this machine alone. What such a program asks for stands on the Queue page, and only your approval makes it. The command line can queue a batch once its price is agreed to.`}
        refusal={refusal}
      >
        {isWindow ? (
          <Checkbox checked={isOn} onChecked={(commandLine) => void run(saveSettings({ commandLine }))}>
            {t`Let them reach this window`}
          </Checkbox>
        ) : (
          <p className="t2">{t`They reach this studio: it runs in the browser host.`}</p>
        )}
        {launcher !== undefined && (
          <p className="t2">
            {rich`The installed program is its own command line. What is typed here: ${<span className="mono">{launcher}</span>}`}
          </p>
        )}
      </Group>
    </SettingsSection>
  );
}
