// The e-mail domains of an organization, and their verification.

import type { DomainProof } from "../../../generated/resources";
import { Copyable } from "../components/copy";
import { useMessages } from "../messages/messages";

export function Domains({ of: proofs }: { readonly of: readonly DomainProof[] }) {
  const messages = useMessages();
  if (proofs.length === 0) return null;
  return (
    <section>
      <h2>{messages.domainProofs}</h2>
      <ul class="rows">
        {proofs.map(({ domain, verified, record }) => (
          <li key={domain}>
            <div>
              <strong>{domain}</strong>
              <span class={`status ${verified ? "good" : "draft"}`}>
                {verified ? messages.domainProven : messages.domainNotProven}
              </span>
            </div>
            {!verified && (
              <>
                <p>{messages.domainProofWhy}</p>
                <Copyable>
                  {[
                    [`${record.type} · ${messages.recordName}`, record.name],
                    [`${record.type} · ${messages.recordValue}`, record.value],
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
