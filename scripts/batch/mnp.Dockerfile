# An image whose containers are the nodes of a job over several hosts. From the root of the project:
#   docker build -f scripts/batch/mnp.Dockerfile -t berttrain .
#   docker run berttrain berttrain --help       one node: no key, no ssh
# `--build-arg DEBIAN=trixie` takes another release. docs/how-to/multi-node.md says how AWS Batch starts it.
ARG DEBIAN=bookworm
FROM debian:${DEBIAN} AS build
WORKDIR /src
COPY scripts/install-deps.sh scripts/
RUN scripts/install-deps.sh --package --with-trainer
COPY . .
RUN scripts/package.sh --with-trainer

FROM debian:${DEBIAN}-slim
COPY --from=build /src/build/release/packages /packages
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
       openmpi-bin openssh-server openssh-client iproute2 /packages/*.deb \
    && rm -rf /packages /var/lib/apt/lists/* /etc/ssh/ssh_host_*
COPY scripts/batch/mnp_entrypoint.sh /opt/bertprep/bin/mnp_entrypoint.sh
COPY scripts/batch/mnp /opt/bertprep/bin/mnp
ENV PATH=/opt/bertprep/bin:$PATH
RUN bertprep --version && berttrain --version && mpirun --version && /usr/sbin/sshd -V 2>&1 | grep OpenSSH
ENTRYPOINT ["mnp_entrypoint.sh"]
