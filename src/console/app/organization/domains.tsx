// How the e-mail domains of an organization are proven.

import type { DomainProof } from "../../../generated/resources";
import { Copyable } from "../parts/copy";
import { useWords } from "../words/words";

export function Domains({ of: proofs }: { readonly of: readonly DomainProof[] }) {
  const words = useWords();
  if (proofs.length === 0) return null;
  return (
    <section>
      <h2>{words.domainProofs}</h2>
      <ul class="rows">
        {proofs.map(({ domain, verified, record }) => (
          <li key={domain}>
            <div>
              <strong>{domain}</strong>
              <span class={`status ${verified ? "good" : "draft"}`}>
                {verified ? words.domainProven : words.domainNotProven}
              </span>
            </div>
            {!verified && (
              <>
                <p>{words.domainProofWhy}</p>
                <Copyable>
                  {[
                    [`${record.type} · ${words.recordName}`, record.name],
                    [`${record.type} · ${words.recordValue}`, record.value],
                  ]}
                </Copyable>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
