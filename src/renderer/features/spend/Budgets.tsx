import { Plus } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { BUDGET_SCOPES, type Budget, type BudgetInput, type MoneyTotals } from '../../../shared/ledger.ts';
import { formatNano, type Nano, parseDollars } from '../../../shared/money.ts';
import { formatLocale, t } from '../../../shared/texts.ts';
import {
  MoneyPlate,
  readMoney,
  refusalOf,
  replaceParams,
  saveBudget,
  useCall,
  useNow,
  useRoute,
  useStudio,
} from '../../app/index.ts';
import { call } from '../../client/index.ts';
import {
  Button,
  Dialog,
  DialogActions,
  EmptyState,
  Field,
  formatCount,
  Icon,
  IconButton,
  MoneyBar,
  type Read,
  Reading,
  rich,
  Select,
  TextInput,
  WhyOff,
} from '../../ui/index.ts';
import { capOf, countedParts, leftUnder, leftWords, SCOPE_WORDS } from '../../words/index.ts';
import { dollarsText, forecastOf } from './figures.ts';
import type { Side } from './side.ts';
import styles from './spend.module.css';

/**
 * Those of the active side are known to the whole window; others are asked for. A cap counts every gateway of its side, and so does what is
 * left of it, whichever gateway is looked at.
 */
function useBudgets({ play, isActive }: Pick<Side, 'play' | 'isActive'>): Read<Budget[]> & { reload: () => void } {
  const own = useStudio((state) => state.budgets);
  const ownRead = useStudio((state) => state.moneyRead);
  const ownError = useStudio((state) => state.moneyError);
  const { data, error, reload } = useCall('budgets.list', isActive ? null : { play }, { on: ['ledger.changed'] });
  if (isActive) return { data: ownRead ? own : undefined, error: ownError, reload: () => void readMoney() };
  return { data: data?.budgets, error, reload };
}

type WhoseBudgets = Pick<Side, 'play' | 'profileIds' | 'isActive'>;

/** Caps of one side: hard ones stop a job before it is claimed, soft ones warn. */
export function Budgets({ side }: { side: WhoseBudgets }) {
  const read = useBudgets(side);
  const [editing, setEditing] = useState<Budget | 'new'>();
  const isAsked = useRoute().params.has('budget');
  useEffect(() => {
    if (!isAsked) return;
    setEditing('new');
    replaceParams('spend', {});
  }, [isAsked]);
  return (
    <>
      <div className="bar">
        <h2>{t`Budgets`}</h2>
        {side.play && <MoneyPlate play />}
        {side.profileIds && <span className="t3">{t`all gateways together`}</span>}
        <span className="grow" />
        <IconButton label={t`Add a budget`} onClick={() => setEditing('new')}>
          <Icon of={Plus} />
        </IconButton>
      </div>
      <Reading of={read} rows={3} label={t`Reading the budgets`}>
        {(budgets) =>
          budgets.length === 0 ? (
            <EmptyState
              title={t`No budget is set`}
              action={<Button onClick={() => setEditing('new')}>{t`Set a day budget`}</Button>}
            >
              {t`A hard one stops jobs before they are sent; a soft one warns.`}
            </EmptyState>
          ) : (
            <ul className={`num ${styles.budgets}`}>
              {budgets.map((budget) => (
                <BudgetLine
                  key={`${budget.scope} ${budget.projectId ?? budget.runId ?? ''}`}
                  budget={budget}
                  onEdit={() => setEditing(budget)}
                />
              ))}
            </ul>
          )
        }
      </Reading>
      {editing !== undefined && (
        <BudgetDialog
          budget={editing === 'new' ? undefined : editing}
          side={side}
          onSaved={read.reload}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  );
}

function useProjectName(id: string | undefined): string | undefined {
  return useStudio((state) => state.projects.find((project) => project.id === id)?.name);
}

function BudgetLine({ budget, onEdit }: { budget: Budget; onEdit: () => void }) {
  const project = useProjectName(budget.projectId);
  const { hardNano, softNano, used, countedNano } = budget;
  const limit = capOf(budget) ?? 0;
  const left = leftUnder(limit, used, countedNano);
  const kind = hardNano === undefined ? 'soft' : 'hard';
  return (
    <li>
      <div className="row">
        <b className="cut">{project ?? SCOPE_WORDS[budget.scope].title}</b>
        <span className="t3">
          {kind}
          {countedNano !== undefined && t`, at the cheaper reading`}
        </span>
        <span className="grow" />
        {used.unpriced > 0 && <span className="t3">{t`${formatCount(used.unpriced)} unpriced`}</span>}
        <span className="nums">{leftWords(left)}</span>
        <button type="button" className="lnk" onClick={onEdit} aria-label={t`Edit the budget of ${formatNano(limit)}`}>
          {t`of ${formatNano(limit)}`}
        </button>
      </div>
      <MoneyBar totals={countedParts(budget)} limitNano={limit} />
      {hardNano !== undefined && softNano !== undefined && (
        <p className={`t3 ${styles.warns}`}>{t`Warns at ${formatNano(softNano)}`}</p>
      )}
      {budget.scope === 'month' && <Pace used={used} leftNano={left} />}
    </li>
  );
}

const dayAndMonth = new Intl.DateTimeFormat(formatLocale(), { day: 'numeric', month: 'long' });
const monthName = new Intl.DateTimeFormat(formatLocale(), { month: 'long' });

/** Where the month ends at the pace of its days so far. */
function Pace({ used, leftNano }: { used: MoneyTotals; leftNano: Nano }) {
  const now = useNow(60_000);
  const forecast = forecastOf(used.settledNano, leftNano, now);
  if (!forecast) return null;
  const isMore = used.reservedNano + used.uncertainNano > 0;
  return (
    <p className={`${styles.warns} ${forecast.reachedAt === undefined ? 't3' : 'in-doubt'}`}>
      {rich`At this pace ${monthName.format(now)} ends at about ${formatNano(forecast.nano)}${forecast.reachedAt !== undefined && t`, and${isMore ? t` with what is reserved and in doubt` : ''} reaches this budget on ${dayAndMonth.format(forecast.reachedAt)}`}.`}
    </p>
  );
}

/** A night has its cap from its plan on: it is changed here, never added. */
const scopesFor = (budget: Budget | undefined): readonly Budget['scope'][] =>
  budget ? BUDGET_SCOPES : BUDGET_SCOPES.filter((scope) => scope !== 'run');

interface BudgetForm {
  scope: Budget['scope'];
  projectId?: string;
  hard: string;
  soft: string;
}

/** What is typed, as the studio takes it; or the field and the rule it breaks. */
function budgetInput(
  form: BudgetForm,
): { input: BudgetInput } | { field: 'hard' | 'soft' | 'projectId'; error: string } {
  const amount = (text: string) => (text.trim() === '' ? null : parseDollars(text));
  const [hardNano, softNano] = [amount(form.hard), amount(form.soft)];
  if (hardNano === undefined)
    return { field: 'hard', error: t`Hard: must be an amount in dollars such as 30 or 12.50.` };
  if (softNano === undefined)
    return { field: 'soft', error: t`Soft: must be an amount in dollars such as 30 or 12.50.` };
  if (hardNano === null && softNano === null)
    return { field: 'hard', error: t`Hard or soft: one of the two is needed.` };
  if (form.scope === 'run' && hardNano === null)
    return { field: 'hard', error: t`Hard: a night needs one. To give the night up, cancel it on Queue.` };
  if (hardNano !== null && softNano !== null && softNano > hardNano) {
    return { field: 'soft', error: t`Soft: must not be above the hard one, or it never warns.` };
  }
  if (form.scope !== 'project') return { input: { scope: form.scope, hardNano, softNano } };
  if (!form.projectId) return { field: 'projectId', error: t`Project: choose one.` };
  return { input: { scope: 'project', projectId: form.projectId, hardNano, softNano } };
}

interface BudgetDialogProps {
  budget: Budget | undefined;
  side: WhoseBudgets;
  onSaved: () => void;
  onClose: () => void;
}

function BudgetDialog({ budget, side, onSaved, onClose }: BudgetDialogProps) {
  const [form, setForm] = useState<BudgetForm>({
    scope: budget?.scope ?? 'day',
    projectId: budget?.projectId,
    hard: dollarsText(budget?.hardNano),
    soft: dollarsText(budget?.softNano),
  });
  const [fault, setFault] = useState<{ field?: string; error: string }>();
  const change = (part: Partial<BudgetForm>) => setForm({ ...form, ...part });
  const send = async (input: BudgetInput) => {
    // What the window knows is the active side's; another side's answer must not take its place.
    const answer = side.isActive
      ? await saveBudget(input)
      : await call('budgets.set', { ...input, play: budget?.play ?? side.play });
    if (!answer.ok) return setFault({ error: refusalOf(answer.error, t`Nothing was saved.`) });
    if (!side.isActive) onSaved();
    onClose();
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const judged = budgetInput(form);
    if ('error' in judged) setFault(judged);
    else void send(judged.input);
  };
  const remove = () =>
    void send({
      scope: form.scope,
      ...(form.projectId ? { projectId: form.projectId } : {}),
      hardNano: null,
      softNano: null,
    });
  const errorAt = (field: string) => (fault?.field === field ? fault.error : undefined);
  return (
    <Dialog open onClose={onClose} title={budget ? t`Change the budget` : t`Set a budget`} width={380}>
      <form className="col gap" onSubmit={save}>
        <ScopeFields budget={budget} form={form} change={change} errorAt={errorAt} />
        <CapFields form={form} change={change} errorAt={errorAt} />
        {fault && !fault.field ? <p className="err">{fault.error}</p> : <WhatCounts scope={form.scope} />}
        <div className="row end">
          {budget && budget.scope !== 'run' && (
            <Button variant="ghost-danger" onClick={remove}>
              {t`Remove`}
            </Button>
          )}
          <span className="grow" />
          <DialogActions type="submit" onClose={onClose}>
            {t`Save`}
          </DialogActions>
        </div>
      </form>
    </Dialog>
  );
}

interface BudgetFieldsProps {
  form: BudgetForm;
  change: (part: Partial<BudgetForm>) => void;
  errorAt: (field: string) => string | undefined;
}

/** What a budget is for; that does not change once it is set. */
function ScopeFields({ budget, form, change, errorAt }: BudgetFieldsProps & { budget: Budget | undefined }) {
  const projects = useStudio((state) => state.projects);
  return (
    <div className="g2">
      <Field label={t`For each`}>
        <Select
          options={scopesFor(budget).map((value) => ({ value, label: SCOPE_WORDS[value].title }))}
          value={form.scope}
          onValue={(scope) => change({ scope })}
          disabled={budget !== undefined}
        />
      </Field>
      {form.scope === 'project' && (
        <Field label={t`Project`} error={errorAt('projectId')}>
          <Select
            options={projects.map(({ id, name }) => ({ value: id, label: name }))}
            value={form.projectId ?? null}
            onValue={(projectId) => change({ projectId })}
            disabled={budget !== undefined}
          />
        </Field>
      )}
    </div>
  );
}

const WhatCounts = ({ scope }: Pick<BudgetForm, 'scope'>) => (
  <WhyOff>
    {rich`What is settled, reserved and in doubt counts against it.${scope === 'run' && t` A night has its hard cap as long as it is planned.`}`}
  </WhyOff>
);

const CapFields = ({ form, change, errorAt }: BudgetFieldsProps) => (
  <div className="g2">
    <Field label={t`Hard`} hint={t`stops jobs`} error={errorAt('hard')}>
      <TextInput value={form.hard} onValue={(hard) => change({ hard })} before="$" inputMode="decimal" autoFocus />
    </Field>
    <Field label={t`Soft`} hint={t`warns`} error={errorAt('soft')}>
      <TextInput value={form.soft} onValue={(soft) => change({ soft })} before="$" inputMode="decimal" />
    </Field>
  </div>
);
