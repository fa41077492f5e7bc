"""The optimizers and schedules of the reference trainers restated step by step, one tensor after the other."""

import math

import torch


def norm(tensors):
    return math.sqrt(sum(float(tensor.double().square().sum()) for tensor in tensors))


def cut(sizes, processes):
    """DeepSpeed's flat partitions of tensors of these sizes: (tensor, first value, end, rank), in their order."""
    length = math.ceil(sum(sizes) / (2 * processes)) * 2
    owners = [(tensor, value) for tensor, size in enumerate(sizes) for value in range(size)]
    pieces = []
    for rank in range(processes):
        for tensor, value in owners[rank * length:(rank + 1) * length]:
            if pieces and pieces[-1][0] == tensor and pieces[-1][3] == rank:
                pieces[-1] = (tensor, pieces[-1][1], value + 1, rank)
            else:
                pieces.append((tensor, value, value + 1, rank))
    return pieces


class Optimizer:
    """kind: nvlamb, lans or adamw. partition: norms over flat partitions of all tensors with decay, and of all without,
    for so many processes; 0: tensor by tensor."""

    def __init__(self, kind, named_parameters, max_grad_norm=1.0, partition=0, epsilon=1e-6, decay=0.01):
        self.kind, self.max_grad_norm, self.partition, self.epsilon = kind, max_grad_norm, partition, epsilon
        self.parameters = [parameter for parameter, _ in named_parameters]
        # What norms are taken over: (parameter, first value, end, group)
        self.pieces = [(i, 0, parameter.numel(), i) for i, parameter in enumerate(self.parameters)]
        if partition:
            self.pieces = []
            for kind_of_decay in (True, False):
                numbers = [i for i, (_, decays) in enumerate(named_parameters) if decays == kind_of_decay]
                for tensor, begin, end, rank in cut([self.parameters[i].numel() for i in numbers], partition):
                    self.pieces.append((numbers[tensor], begin, end, (kind_of_decay, rank)))
        self.tensors = [(self.parameters[i].detach().view(-1)[begin:end], decay if named_parameters[i][1] else 0.0)
                        for i, begin, end, _ in self.pieces]
        self.m = [torch.zeros_like(piece) for piece, _ in self.tensors]
        self.v = [torch.zeros_like(piece) for piece, _ in self.tensors]
        self.steps = 0

    def groups(self):
        names = [piece[3] for piece in self.pieces]
        return [[i for i, name in enumerate(names) if name == group] for group in dict.fromkeys(names)]

    def clipped(self):
        gradients = [self.parameters[i].grad.reshape(-1)[begin:end] for i, begin, end, _ in self.pieces]
        total = norm(gradients)
        if self.max_grad_norm > 0:
            seen = total + 1e-6 if self.partition or self.kind == "adamw" else total
            gradients = [gradient / max(1.0, seen / self.max_grad_norm) for gradient in gradients]
        return total, gradients

    @torch.no_grad()
    def step(self, rate):
        """Returns the norm of the gradient."""
        self.steps += 1
        total, gradients = self.clipped()
        for group in self.groups():
            getattr(self, self.kind)(group, gradients, rate)
        return total

    def moments(self, i, gradient):
        steps = max(1, self.steps - 1) if self.partition and self.kind != "adamw" else self.steps
        self.m[i] = 0.9 * self.m[i] + 0.1 * gradient
        self.v[i] = 0.999 * self.v[i] + 0.001 * gradient * gradient
        return self.m[i] / (1 - 0.9 ** steps), torch.sqrt(self.v[i] / (1 - 0.999 ** steps)) + self.epsilon

    def trust(self, group, directions, always):
        weight = norm([self.tensors[i][0] for i in group])
        update = norm(directions)
        trusts = always or self.tensors[group[0]][1] != 0
        return weight / update if trusts and weight > 0 and update > 0 else 1.0

    def nvlamb(self, group, gradients, rate):
        directions = []
        for i in group:
            first, second = self.moments(i, gradients[i])
            directions.append(first / second + self.tensors[i][1] * self.tensors[i][0])
        ratio = self.trust(group, directions, False)
        for i, direction in zip(group, directions):
            self.tensors[i][0].sub_(rate * ratio * direction)

    def lans(self, group, gradients, rate):
        length = norm([gradients[i] for i in group])
        first_directions, second_directions = [], []
        for i in group:
            unit = gradients[i] / (length + self.epsilon) if length != 0 else gradients[i]
            first, second = self.moments(i, unit)
            weight, decay = self.tensors[i]
            first_directions.append(first / second + decay * weight)
            second_directions.append(unit / second + decay * weight)
        first_ratio = self.trust(group, first_directions, True)
        second_ratio = self.trust(group, second_directions, True)
        for i, r, c in zip(group, first_directions, second_directions):
            self.tensors[i][0].sub_(0.9 * rate * first_ratio * r + (1 - 0.9) * rate * second_ratio * c)

    def adamw(self, group, gradients, rate):
        for i in group:
            first, second = self.moments(i, gradients[i])
            weight, decay = self.tensors[i]
            weight.mul_(1 - rate * decay)
            weight.sub_(rate * first / second)


def habana_poly(rate, step, steps, warmup, constant, degree):
    x = max(1, step - 1) / steps
    if x < warmup:
        return rate * x / warmup
    if x < warmup + constant:
        return rate
    return rate * ((1 - x) / (1 - warmup - constant)) ** degree


def nvidia_poly(rate, step, steps, warmup, degree):
    x = step / steps
    return rate * x / warmup if x < warmup else rate * (1 - x) ** degree


def linear(rate, step, steps, warmup):
    x = step / steps
    return rate * x / warmup if x < warmup else rate * max((x - 1) / (warmup - 1), 0)
