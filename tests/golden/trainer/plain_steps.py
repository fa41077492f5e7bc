"""The optimizers and schedules of the reference trainers restated step by step, one tensor after the other."""

import math

import torch


def norm(tensors):
    return math.sqrt(sum(float(tensor.double().square().sum()) for tensor in tensors))


class Optimizer:
    """kind: nvlamb, lans or adamw. partition: norms over all tensors with decay, and over all without."""

    def __init__(self, kind, named_parameters, max_grad_norm=1.0, partition=False, epsilon=1e-6, decay=0.01):
        self.kind, self.max_grad_norm, self.partition, self.epsilon = kind, max_grad_norm, partition, epsilon
        self.tensors = [(parameter, decay if decays else 0.0) for parameter, decays in named_parameters]
        self.m = [torch.zeros_like(parameter) for parameter, _ in self.tensors]
        self.v = [torch.zeros_like(parameter) for parameter, _ in self.tensors]
        self.steps = 0

    def groups(self):
        if not self.partition:
            return [[i] for i in range(len(self.tensors))]
        return [[i for i, (_, decay) in enumerate(self.tensors) if decay != 0],
                [i for i, (_, decay) in enumerate(self.tensors) if decay == 0]]

    def clipped(self):
        gradients = [parameter.grad for parameter, _ in self.tensors]
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
